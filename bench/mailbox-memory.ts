import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { ImapFlow } from 'imapflow';
import { secretBox } from '../src/secrets.ts';
import { startDovecot } from '../test/support/dovecot.ts';
import { connectTestMailbox, openMailWorld, password } from '../test/support/test-mailbox.ts';
import { waitFor } from '../test/support/wait-for.ts';

/**
 * `node bench/mailbox-memory.ts [mailboxes]`: what a watched mailbox costs in memory, against a bare imapflow session
 * that idles; both in processes of their own, in the same run. The limit is 1.5 times. Needs Dovecot.
 */
const limit = 1.5;

if (process.argv[2] === 'bare') await idleBare(JSON.parse(process.argv[3]!));
else await compare(Number(process.argv[2] ?? 100));

async function compare(mailboxes: number): Promise<void> {
  const secretKey = randomBytes(32);
  const [world, dovecot] = await Promise.all([openMailWorld(), startDovecot()]);
  Object.assign(world, { secrets: secretBox([secretKey]) });
  const users = Array.from({ length: mailboxes }, (_, number) => `user${number}@test.example`);
  for (const user of users) await connectTestMailbox(world, dovecot, { user });
  const server = { host: dovecot.host, port: dovecot.port, ca: dovecot.ca };
  const bare = await measure(import.meta.url, ['bare', JSON.stringify({ ...server, users })], 'idling');
  const watcher = new URL('../test/mailboxes/watcher-child.ts', import.meta.url).href;
  const orders = {
    databaseUrl: world.databaseUrl,
    secretKey: secretKey.toString('base64'),
    host: dovecot.host,
    ca: dovecot.ca,
    stopAt: null,
    usualPace: true,
    nth: 1,
  };
  const watched = await measure(watcher, [JSON.stringify(orders)], 'watching', async () => {
    const [row] = await world.sql<{ count: number }[]>`
      select count(*) as count from mailbox_states where last_good_poll is not null`;
    return row!.count === mailboxes;
  });
  await Promise.all([world.stop(), dovecot.stop()]);
  const ratio = watched / bare;
  console.log(
    JSON.stringify({ mailboxes, bareMiB: Math.round(bare), watchedMiB: Math.round(watched), ratio, limit }),
  );
  process.exitCode = ratio <= limit ? 0 : 1;
}

/** Resident memory of a process once it is ready and has been quiet for a while. */
async function measure(
  script: string,
  args: string[],
  word: string,
  ready: () => Promise<boolean> = async () => true,
): Promise<number> {
  const child = spawn(process.execPath, [fileURLToPath(script), ...args], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let output = '';
  child.stdout.on('data', text => {
    output += text;
  });
  await waitFor(word, () => output.includes(word), 120_000);
  await waitFor('every mailbox', ready, 120_000);
  await new Promise(resolve => setTimeout(resolve, 5000));
  const kib = Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${child.pid}/status`, 'utf8'))![1]);
  child.kill('SIGKILL');
  return kib / 1024;
}

async function idleBare({
  host,
  port,
  ca,
  users,
}: {
  host: string;
  port: number;
  ca: string;
  users: string[];
}) {
  for (const user of users) {
    const client = new ImapFlow({
      host: '127.0.0.1',
      servername: host,
      port,
      secure: true,
      auth: { user, pass: password },
      tls: { ca },
      logger: false,
    });
    client.on('error', () => {});
    await client.connect();
    await client.mailboxOpen('INBOX', { readOnly: true });
    client.idle().catch(() => {});
  }
  process.stdout.write('idling\n');
}
