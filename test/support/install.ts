import { spawnSync } from 'node:child_process';
import { globSync } from 'node:fs';

/** A file that is there once it is installed, and Debian's package that has it. */
type Need = [file: string, packageName: string];

const needs: Need[] = [
  ['/usr/bin/chromium-headless-shell', 'chromium-headless-shell'],
  ['/usr/sbin/dovecot', 'dovecot-imapd'],
  ['/usr/sbin/pgbouncer', 'pgbouncer'],
  ['/usr/sbin/postfix', 'postfix'],
  // The documentation's samples are run in the languages they are written in.
  ['/usr/bin/curl', 'curl'],
  ['/usr/bin/python3', 'python3'],
  ['/usr/bin/php', 'php-cli'],
  ['/etc/php/*/mods-available/curl.ini', 'php-curl'],
  ['/usr/lib/python3/dist-packages/django', 'python3-django'],
  ['/usr/share/php/Illuminate/Routing', 'php-illuminate-routing'],
  ['/usr/share/php/Illuminate/Events', 'php-illuminate-events'],
];

export function installWhatTestsNeed(): void {
  install('the tests need', needs);
}

/**
 * Installs what is missing where that is possible, and says plainly what to do where it is not. True when something
 * was installed.
 */
export function install(whoNeeds: string, wanted: readonly Need[]): boolean {
  const missing = wanted
    .filter(([file]) => globSync(file).length === 0)
    .map(([, packageName]) => packageName);
  if (missing.length === 0) return false;
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
  return true;
}
