import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { ImapFlow } from 'imapflow';
import { createTransport } from 'nodemailer';
import { SMTPServer } from 'smtp-server';
import { Pool } from 'undici';
import { openForwarding } from '../../src/alerts/forwarding/open-forwarding.ts';
import { freePort } from '../../src/base/free-port.ts';
import { secretBox } from '../../src/base/secrets.ts';
import { createApiKey } from '../../src/business/merchants/create-api-key.ts';
import { startDnsServer } from '../../test/support/dns-server.ts';
import { startDovecot } from '../../test/support/dovecot.ts';
import { newDataDir, removeDataDir } from '../../test/support/program.ts';
import { connectTestMailbox, openMailWorld, password } from '../../test/support/test-mailbox.ts';
import { addTestMerchant } from '../../test/support/test-world.ts';
import { waitFor } from '../../test/support/wait-for.ts';
import { createOrder, openShop } from '../mail/arrival-shop.ts';
import { hdfcMail, hdfcRecords } from '../mail/hdfc-mail.ts';
import { median, quantile } from '../mail/in-turns.ts';
import { startLive } from '../mail/start-live.ts';
import { type AtEnd, withEndings } from '../mail/with-endings.ts';
import { report } from '../report.ts';

/**
 * The time from the bank's mail until the shop's server has the webhook. The whole program runs live in its own
 * process: it stores the mail, verifies the signature with keys from DNS, finds and pays the order, writes the event,
 * signs and sends the webhook. The limit is the least that the same way of a mail needs, in turns, mail by mail:
 * - `alert`: the mail is put into a mailbox. The limit is an imapflow session in IDLE that fetches it and posts.
 * - `forwarded-alert`: a mail server connects to hand the mail over, on a connection of its own, as providers do. The
 *   limit is a bare smtp-server that takes it and posts.
 */
const lanes = 4;
const mailsALane = 26;
const mailDomain = 'alerts.example.in';
const secretKey = randomBytes(32);

type MailWorld = Awaited<ReturnType<typeof openMailWorld>>;
/** A recipient of mails. */
type Target = { to: string; send(raw: Buffer): Promise<unknown> };
type Lane = { apiKey: string; ours: Target; bare: Target };
type Way = {
  env: Record<string, string>;
  /** An address that the program asks DNS for, besides the bank's records. */
  host?: string;
  bare: string;
  pause(): Promise<unknown>;
  openLane(number: number): Promise<Lane>;
};
type OpenWay = (world: MailWorld, post: Post, atEnd: AtEnd) => Promise<Way>;
/** Posts a mail's reference to the shop, with nothing in between. */
type Post = (mail: Buffer | undefined) => Promise<void>;

const ways: Record<string, OpenWay> = { alert: openMailboxes, 'forwarded-alert': openReceiver };
const name = process.argv[2] ?? 'alert';

await withEndings(async atEnd => {
  const world = await openMailWorld({ MAIL_DOMAIN: mailDomain });
  atEnd(() => world.stop());
  Object.assign(world, { secrets: secretBox([secretKey]) });
  const shop = await openShop();
  atEnd(() => shop.stop());
  const way = await ways[name]!(world, openPost(shop.url, atEnd), atEnd);
  const records = hdfcRecords();
  const dns = await startDnsServer(({ name, type }) => {
    if (name === way.host) return type === 'A' ? [{ name, type, ttl: 60, data: '127.0.0.1' }] : [];
    const record = records[name];
    // A string of a TXT record holds 255 bytes.
    return record ? [{ name, type: 'TXT', ttl: 60, data: record.match(/.{1,255}/g)! }] : 'nxdomain';
  });
  atEnd(() => dns.stop());
  const roles = ['web', 'mail', 'deliver', ...('RECEIVE_PORT' in way.env ? ['receive'] : [])];
  const env = { DNS_SERVERS: dns.address, ...way.env };
  const program = await startLive(roles, world.databaseUrl, secretKey, env);
  atEnd(() => program.stop());

  const figures = { ours: [] as number[], bare: [] as number[] };
  const timed = async ({ to, send }: Target, reference: string, amount: string) => {
    await way.pause();
    const raw = hdfcMail({ amount, reference, to, sentAt: new Date() }, { gmail: true });
    const arrival = shop.arrival(reference);
    const start = performance.now();
    await send(raw);
    return (await arrival) - start;
  };
  const work = async (number: number) => {
    const lane = await way.openLane(number);
    for (let mail = 0; mail < mailsALane; mail++) {
      const order = await createOrder(program.url, lane.apiKey, shop.url);
      const amount = order.payable_amount.toFixed(2);
      const reference = String(100_000_000_000 + number * 1000 + mail);
      const ours = await timed(lane.ours, reference, amount);
      const bare = await timed(lane.bare, `9${reference.slice(1)}`, amount);
      // Skip a lane's first mail, which warms threads, statements and caches.
      if (mail === 0) continue;
      figures.ours.push(ours);
      figures.bare.push(bare);
    }
  };
  await Promise.all(Array.from({ length: lanes }, (_, number) => work(number)));

  const row = (what: string, some: number[]) => ({
    what,
    mails: some.length,
    'p50 ms': Math.round(median(some)),
    'p99 ms': Math.round(quantile(some, 0.99)),
    least: Math.round(Math.min(...some)),
  });
  report({
    name,
    aim: { atMost: 2 },
    ratio: median(figures.ours) / median(figures.bare),
    rows: [
      row(`bare: ${way.bare}`, figures.bare),
      row('ours: stored, verified, matched, paid, signed, sent', figures.ours),
    ],
  });
});

function openPost(shopUrl: string, atEnd: AtEnd): Post {
  const { origin, pathname: path } = new URL(shopUrl);
  const pool = new Pool(origin, { connections: lanes });
  atEnd(() => pool.destroy());
  const headers = { 'content-type': 'application/json' };
  return async mail => {
    const reference = /Reference No\.: (\d+)/.exec(mail?.toString('latin1') ?? '')?.[1];
    const body = JSON.stringify({ bank_reference: reference });
    const answer = await pool.request({ method: 'POST', path, headers, body });
    await answer.body.dump();
  };
}

async function openMailboxes(world: MailWorld, post: Post, atEnd: AtEnd): Promise<Way> {
  const dovecot = await startDovecot();
  atEnd(() => dovecot.stop());
  const folder = newDataDir();
  atEnd(() => removeDataDir(folder));
  const caFile = join(folder, 'ca.pem');
  writeFileSync(caFile, dovecot.ca);
  const target = (to: string): Target => ({ to, send: raw => dovecot.deliver(to, raw) });
  return {
    env: { IMAP_CA_FILE: caFile, WEBHOOK_ALLOW: `127.0.0.1,${dovecot.host}` },
    host: dovecot.host,
    bare: 'imapflow is told, fetches, posts',
    // Dovecot reports new mail up to half a second late. Random pauses keep us from falling into step with it.
    pause: () => sleep(300 + Math.random() * 400),
    async openLane(number) {
      const [ours, bare] = [target(`shop${number}@test.example`), target(`bare${number}@test.example`)];
      const { merchantId } = await connectTestMailbox(world, dovecot, { user: ours.to });
      const { apiKey } = await createApiKey(world.sql, world, merchantId, 'bench');
      await dovecot.setPassword(bare.to, password);
      const client = await watchBare(dovecot, bare.to, post);
      atEnd(() => client.close());
      await waitFor('the mailbox to be watched', async () => {
        const [row] = await world.sql`
          select from mailbox_states where merchant_id = ${merchantId} and last_good_poll is not null`;
        return row !== undefined;
      });
      return { apiKey, ours, bare };
    },
  };
}

async function watchBare(
  { port, host, ca }: { port: number; host: string; ca: string },
  user: string,
  post: Post,
): Promise<ImapFlow> {
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
  client.on('exists', async ({ count }: { count: number }) => {
    const mail = await client.fetchOne(String(count), { source: true });
    await post(mail ? mail.source : undefined);
    client.idle().catch(() => {});
  });
  client.idle().catch(() => {});
  return client;
}

async function openReceiver(world: MailWorld, post: Post, atEnd: AtEnd): Promise<Way> {
  const smtpPort = await freePort();
  const barePort = await startBareReceiver(post, atEnd);
  const target = (port: number, to: string): Target => ({
    to,
    async send(raw) {
      const transport = createTransport({ host: '127.0.0.1', port, ignoreTLS: true });
      await transport.sendMail({ envelope: { from: 'bounce@provider.example', to }, raw });
      transport.close();
    },
  });
  return {
    env: { MAIL_DOMAIN: mailDomain, RECEIVE_PORT: `127.0.0.1:${smtpPort}` },
    bare: 'smtp-server takes it, posts',
    pause: () => sleep(100 + Math.random() * 200),
    async openLane() {
      const { merchantId, apiKey } = await addTestMerchant(world);
      const opening = { merchantId, mailDomain, now: world.clock.now() };
      const forwardTo = await world.sql.begin(tx => openForwarding(tx, opening));
      if (forwardTo === null) throw new Error('there is no forwarding address');
      return { apiKey, ours: target(smtpPort, forwardTo), bare: target(barePort, forwardTo) };
    },
  };
}

async function startBareReceiver(post: Post, atEnd: AtEnd): Promise<number> {
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS', 'AUTH'],
    disableReverseLookup: true,
    onData(stream, _session, done) {
      const parts: Buffer[] = [];
      stream.on('data', part => parts.push(part));
      stream.on('end', async () => {
        await post(Buffer.concat(parts));
        done();
      });
    },
  });
  server.listen(0, '127.0.0.1');
  await once(server.server, 'listening');
  atEnd(() => new Promise<void>(resolve => server.close(() => resolve())));
  return (server.server.address() as AddressInfo).port;
}
