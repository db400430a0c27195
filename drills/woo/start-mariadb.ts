import { spawn, spawnSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { waitFor } from '../../test/support/wait-for.ts';

export type MariaDb = { socket: string; run(sql: string): void; stop(): Promise<void> };

/** Debian's MariaDB on a folder of its own, reached by a socket there and by nothing else. It ends with the drill. */
export async function startMariaDb(folder: string): Promise<MariaDb> {
  const [data, socket] = [join(folder, 'data'), join(folder, 'mariadb.sock')];
  mkdirSync(data, { recursive: true });
  // The server refuses to run as root; the account that Debian's package made does it then.
  const asRoot = process.getuid?.() === 0;
  const user = asRoot ? ['--user=mysql'] : [];
  if (asRoot) spawnSync('chown', ['-R', 'mysql', folder]);
  const made = spawnSync(
    'mariadb-install-db',
    [...user, `--datadir=${data}`, '--auth-root-authentication-method=normal', '--skip-test-db'],
    { encoding: 'utf8' },
  );
  if (made.status !== 0) throw new Error(`MariaDB's folder could not be made: ${made.stderr}`);
  const server = spawn(
    '/usr/sbin/mariadbd',
    [
      '--no-defaults',
      ...user,
      `--datadir=${data}`,
      `--socket=${socket}`,
      `--pid-file=${join(folder, 'mariadb.pid')}`,
      '--skip-networking',
      '--innodb-buffer-pool-size=64M',
      '--innodb-flush-log-at-trx-commit=0',
    ],
    { stdio: 'ignore' },
  );
  const ended = new Promise<void>(resolve => server.once('exit', () => resolve()));
  const ask = (sql: string) =>
    spawnSync('mariadb', ['--no-defaults', `--socket=${socket}`, '-uroot', '-e', sql], { encoding: 'utf8' });
  await waitFor('MariaDB answers', () => ask('select 1').status === 0, 60_000);
  return {
    socket,
    run(sql) {
      const { status, stderr } = ask(sql);
      if (status !== 0) throw new Error(stderr);
    },
    async stop() {
      server.kill('SIGTERM');
      await ended;
    },
  };
}
