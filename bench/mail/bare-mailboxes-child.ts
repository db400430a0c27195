import { ImapFlow } from 'imapflow';
import { password } from '../../test/support/test-mailbox.ts';

export type BareOrders = { host: string; port: number; ca: string; users: string[]; atOnce: number };

/** Bare imapflow sessions that idle on INBOX, in a process of their own. Says `idling` and how long connecting took. */
const { host, port, ca, users, atOnce } = JSON.parse(process.argv[2]!) as BareOrders;
const clients: ImapFlow[] = [];
const start = performance.now();
const left = users.toReversed();
await Promise.all(
  Array.from({ length: atOnce }, async () => {
    for (let user = left.pop(); user !== undefined; user = left.pop()) clients.push(await idle(user));
  }),
);
process.stdout.write(`idling after ${Math.round(performance.now() - start)} ms\n`);
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
  await client.mailboxOpen('INBOX', { readOnly: true });
  client.idle().catch(() => {});
  return client;
}
