import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';

/** What the tests use beyond npm: a program, and Debian's package that has it. */
const needs: [program: string, packageName: string][] = [
  ['/usr/bin/chromium', 'chromium'],
  ['/usr/sbin/dovecot', 'dovecot-imapd'],
];

/** Installs what is missing where that is possible, and says plainly what to do where it is not. */
export function installWhatTestsNeed(): void {
  const missing = needs.filter(([program]) => !existsSync(program)).map(([, packageName]) => packageName);
  aptInstall('the tests need', missing);
}

export function aptInstall(whoNeeds: string, missing: readonly string[]): void {
  if (missing.length === 0) return;
  const sudo = process.getuid?.() === 0 ? [] : ['sudo', '-n'];
  console.log(`installing with apt-get: ${missing.join(', ')}`);
  const aptGet = (...args: string[]) => {
    const [command = '', ...rest] = [
      ...sudo,
      'env',
      'DEBIAN_FRONTEND=noninteractive',
      'apt-get',
      '-q',
      ...args,
    ];
    return spawnSync(command, rest, { stdio: ['ignore', 'ignore', 'inherit'] }).status === 0;
  };
  const done = aptGet('update') && aptGet('install', '-y', '--no-install-recommends', ...missing);
  if (!done) {
    console.error(
      `${whoNeeds} ${missing.join(' and ')}: install them first (apt-get install ${missing.join(' ')}), as root`,
    );
    process.exit(1);
  }
}
