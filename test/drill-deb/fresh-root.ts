import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { chmodSync, copyFileSync, existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

export type Ran = { code: number; said: string };

/** A Debian that has nothing but what every Debian has. Commands run in it as root, with its own /proc. */
export type FreshRoot = {
  folder: string;
  run(...command: string[]): Promise<Ran>;
  start(env: Record<string, string>, ...command: string[]): ChildProcess;
};

export function makeFreshRoot(folder: string): FreshRoot {
  const cached = process.env['MILAAN_DRILL_BASE'];
  mkdirSync(folder, { mode: 0o755 });
  if (cached && existsSync(cached)) execFileSync('tar', ['-xf', cached, '-C', folder, '--exclude=./dev/*']);
  else
    execFileSync('mmdebstrap', ['--quiet', '--variant=minbase', 'bookworm', folder], {
      stdio: ['ignore', 'ignore', 'inherit'],
    });
  // No init runs in it, so nothing may be started by an installation.
  writeFileSync(join(folder, 'usr/sbin/policy-rc.d'), '#!/bin/sh\nexit 101\n');
  chmodSync(join(folder, 'usr/sbin/policy-rc.d'), 0o755);
  for (const file of ['etc/resolv.conf', 'etc/hosts']) copyFileSync(`/${file}`, join(folder, file));
  const prefix = [
    '-m',
    '--propagation',
    'private',
    'sh',
    '-c',
    `mount -t proc -o subset=pid proc ${folder}/proc && mount --rbind /dev ${folder}/dev && exec chroot ${folder} "$@"`,
    'sh',
  ];
  const usual = {
    PATH: '/usr/sbin:/usr/bin:/sbin:/bin',
    HOME: '/root',
    LC_ALL: 'C.UTF-8',
    DEBIAN_FRONTEND: 'noninteractive',
  };
  return {
    folder,
    run(...command) {
      return new Promise(resolve => {
        const child = spawn('unshare', [...prefix, ...command], {
          env: usual,
          stdio: ['ignore', 'pipe', 'pipe'],
        });
        let said = '';
        for (const stream of [child.stdout, child.stderr])
          stream.on('data', chunk => {
            said += chunk;
          });
        child.once('close', code => resolve({ code: code ?? 1, said }));
      });
    },
    start: (env, ...command) =>
      spawn('unshare', [...prefix, ...command], {
        env: { ...usual, ...env },
        stdio: ['ignore', 'pipe', 'pipe'],
      }),
  };
}
