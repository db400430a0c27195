import { ImapFlow } from 'imapflow';
import { password } from '../../test/support/test-mailbox.ts';

export type BareOrders = { host: string; port: number; ca: string; users: string[]; atOnce: number };

/**
 * Bare imapflow sessions that do the IMAP work of a watched mailbox and keep nothing of it: the folders listed, INBOX and
 * the spam folder opened and searched, back to INBOX and idling. Says `idling`, how long it took until all were there, and
 * how much processor time, without that of its own start, which ours does not count either.
 */
const { host, port, ca, users, atOnce } = JSON.parse(process.argv[2]!) as BareOrders;
const clients: ImapFlow[] = [];
const start = performance.now();
const used = process.cpuUsage();
const left = users.toReversed();
await Promise.all(
  Array.from({ length: atOnce }, async () => {
    for (let user = left.pop(); user !== undefined; user = left.pop()) clients.push(await idle(user));
  }),
);
const took = Math.round(performance.now() - start);
const { user, system } = process.cpuUsage(used);
process.stdout.write(`idling after ${took} ms, of the processor ${Math.round((user + system) / 1000)} ms\n`);
setInterval(() => clients.length, 60_000);

async function idle(user: string): Promise<ImapFlow> {
  const client = new ImapFlow({
    host: '127.0.0.1',
    servername: host,
    port,
    secure: true,
    auth: { user, pass: password },
    tls: { ca },
    connectionTimeout: 120_000,
    greetingTimeout: 120_000,
    logger: false,
  });
  client.on('error', () => {});
  await client.connect();
  const folders = await client.list();
  await look(client, 'INBOX');
  const junk = folders.find(({ specialUse }) => specialUse === '\\Junk');
  if (junk) await look(client, junk.path);
  await client.mailboxOpen('INBOX', { readOnly: true });
  client.idle().catch(() => {});
  return client;
}

async function look(client: ImapFlow, folder: string): Promise<void> {
  await client.mailboxOpen(folder, { readOnly: true });
  await client.search({ since: new Date(Date.now() - 2 * 86_400_000) }, { uid: true });
}
