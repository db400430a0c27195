import { type ChildProcess, spawnSync } from 'node:child_process';
import { appendFileSync, mkdirSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { connect } from '../../src/base/database/connect.ts';
import { type Runner, runnerFor } from '../../src/base/database/runner-for.ts';
import { freePort } from '../../src/base/free-port.ts';
import { newSecretKey } from '../../src/base/secrets.ts';
import { connectShop, createPatiently, openLiveShop } from '../../test/support/live-shop.ts';
import { startReady } from '../../test/support/program.ts';
import { runMilaan } from '../../test/support/run-milaan.ts';
import { waitFor } from '../../test/support/wait-for.ts';
import type { Stage } from '../play-drill.ts';
import { debianPostgres } from '../standby/postgres.ts';

const stanza = ['--stanza=milaan'];

/** For larger databases: a full backup and the write-ahead log, the disk lost, and everything that was archived is back. */
export async function drillPgBackRest({ folder: root, onEnd, see }: Stage): Promise<void> {
  const folder = join(root, 'pgbackrest');
  const server = await prepare(folder);
  await server.start();
  onEnd(() => server.stop('SIGINT'));
  const shop = await openLiveShop();
  onEnd(() => shop.stop());
  const secretKey = newSecretKey();
  const env = {
    ...shop.env,
    PUBLIC_URL: 'https://pay.example.in',
    DATABASE_URL: server.url,
    SECRET_KEY: secretKey,
  };
  const program = await startReady(root, { env });
  const { apiKey } = await connectShop(shop, server.url, secretKey);
  server.pgbackrest('stanza-create');
  server.pgbackrest('backup', '--type=full', '--start-fast');
  see('pgBackRest takes a full backup while the service runs', true);
  const acknowledged: string[] = [];
  for (let amount = 100; amount < 140; amount++) {
    const { order } = await createPatiently(program.url, apiKey, { amount, webhook_url: shop.receiver.url });
    acknowledged.push(order.order_id);
    if (amount % 10 === 0) await shop.bankWrites(order.payable_amount);
  }
  await waitFor('four webhooks', () => shop.receiver.received.length === 4);
  program.child.kill('SIGTERM');
  await program.ended;
  const sql = connect(server.url, { most: 1 });
  const [switched] = await sql<{ segment: string }[]>`select pg_walfile_name(pg_switch_wal()) as segment`;
  await waitFor('the last segment in the archive', async () => {
    const rows = await sql`select from pg_stat_archiver where last_archived_wal >= ${switched?.segment}`;
    return rows.length === 1;
  });
  await sql.end();
  await server.stop('SIGKILL');
  rmSync(server.data, { recursive: true });
  mkdirSync(server.data, { mode: 0o700 });
  server.own(server.data);
  server.pgbackrest('restore');
  await server.start();
  const after = connect(server.url, { most: 1 });
  // It answers, and only reads, before it has read its archive to the end.
  await waitFor('the server to write again', async () => {
    const [row] = await after<{ reads: boolean }[]>`select pg_is_in_recovery() as reads`;
    return row?.reads === false;
  });
  const rows = await after`select from orders where order_id in ${after(acknowledged)}`;
  const paid = await after`select from orders where status = 'paid'`;
  await after.end();
  see(
    'the disk is lost and restored: every order that came after the backup is there',
    rows.length === acknowledged.length && paid.length === 4,
    `${rows.length} of ${acknowledged.length}, ${paid.length} paid`,
  );
  const verified = await runMilaan(env, 'verify');
  see('and verify finds no rule broken', verified.code === 0, verified.out + verified.err);
}

async function prepare(folder: string) {
  const bin = debianPostgres() ?? '';
  for (const part of ['', 'data', 'repo', 'log', 'lock', 'spool', 'socket'])
    mkdirSync(join(folder, part), { mode: part === '' ? 0o711 : 0o700 });
  const runner: Runner = runnerFor(bin, folder);
  const data = join(folder, 'data');
  const config = join(folder, 'pgbackrest.conf');
  const port = await freePort();
  writeFileSync(
    config,
    `[global]\nrepo1-path=${join(folder, 'repo')}\nrepo1-retention-full=2\nlog-path=${join(folder, 'log')}\n` +
      `lock-path=${join(folder, 'lock')}\nspool-path=${join(folder, 'spool')}\nlog-level-console=warn\n\n` +
      `[milaan]\npg1-path=${data}\npg1-port=${port}\npg1-socket-path=${join(folder, 'socket')}\npg1-user=milaan\n`,
  );
  for (const part of ['data', 'repo', 'log', 'lock', 'spool', 'socket', 'pgbackrest.conf'])
    runner.own(join(folder, part));
  const log = openSync(join(folder, 'server.log'), 'a', 0o600);
  await completed(
    runner.spawn(
      'initdb',
      ['-D', data, '-U', 'milaan', '--auth=trust', '--locale=C', '--encoding=UTF8'],
      ['ignore', log, log],
    ),
  );
  const asServer =
    process.getuid?.() === 0 ? ['setpriv', '--reuid=65534', '--regid=65534', '--clear-groups'] : [];
  appendFileSync(
    join(data, 'postgresql.conf'),
    `archive_mode = on\narchive_command = 'pgbackrest --config=${config} --stanza=milaan archive-push %p'\narchive_timeout = 60\n` +
      `unix_socket_directories = '${join(folder, 'socket')}'\nlisten_addresses = '127.0.0.1'\nport = ${port}\n`,
  );
  let child: ChildProcess | null = null;
  const url = (name: string) => `postgres://milaan@127.0.0.1:${port}/${name}`;
  return {
    data,
    url: url('milaan'),
    own: (path: string) => runner.own(path),
    async start() {
      child = runner.spawn('postgres', ['-D', data], ['ignore', log, log]);
      await waitFor('PostgreSQL', async () => {
        const sql = connect(url('postgres'), { most: 1 });
        try {
          const [row] = await sql`select from pg_database where datname = 'milaan'`;
          if (!row) await sql.unsafe('create database milaan');
          return true;
        } catch {
          return false;
        } finally {
          await sql.end({ timeout: 1 });
        }
      }).catch(() => {
        throw new Error(readFileSync(join(folder, 'server.log'), 'utf8'));
      });
    },
    async stop(how: 'SIGINT' | 'SIGKILL') {
      if (!child || child.exitCode !== null) return;
      const gone = completed(child);
      child.kill(how);
      await gone;
    },
    pgbackrest(...args: string[]) {
      const [command = '', ...rest] = [...asServer, 'pgbackrest', `--config=${config}`, ...stanza, ...args];
      const { status, stdout, stderr } = spawnSync(command, rest, { encoding: 'utf8' });
      if (status !== 0) throw new Error(`pgbackrest ${args[0]} ended with ${status}: ${stdout}${stderr}`);
    },
  };
}

function completed(child: ChildProcess): Promise<unknown> {
  return new Promise(resolve => child.once('close', resolve));
}
