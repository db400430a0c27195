import { randomBytes } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { ImapFlow } from 'imapflow';
import { Pool } from 'undici';
import { secretBox } from '../../src/base/secrets.ts';
import { createApiKey } from '../../src/business/merchants/create-api-key.ts';
import { startDnsServer } from '../../test/support/dns-server.ts';
import { startDovecot } from '../../test/support/dovecot.ts';
import { newDataDir, removeDataDir } from '../../test/support/program.ts';
import { connectTestMailbox, openMailWorld, password } from '../../test/support/test-mailbox.ts';
import { waitFor } from '../../test/support/wait-for.ts';
import { createOrder, openShop } from '../mail/arrival-shop.ts';
import { hdfcMail, hdfcRecords } from '../mail/hdfc-mail.ts';
import { median, quantile } from '../mail/in-turns.ts';
import { startLive } from '../mail/start-live.ts';
import { type AtEnd, withEndings } from '../mail/with-endings.ts';
import { report } from '../report.ts';

/**
 * From the moment the bank's mail is put into the mailbox until the shop's server has the webhook. The whole program,
 * configured live, in its own process: mailbox watched, mail stored, signature verified with keys from DNS, order
 * found and paid, event written, webhook signed and sent. Against the least one could do: an imapflow session in IDLE
 * that fetches the mail it is told of and posts a few bytes. In turns, mail by mail, on the same Dovecot.
 */
const lanes = 4;
const mailsALane = 26;
/** Dovecot tells of new mail up to half a second after it came: the moments must not fall into step with it. */
const pause = () => sleep(300 + Math.random() * 400);

const secretKey = randomBytes(32);
const folder = newDataDir();

await withEndings(async atEnd => {
  atEnd(() => removeDataDir(folder));
  const world = await openMailWorld();
  atEnd(() => world.stop());
  Object.assign(world, { secrets: secretBox([secretKey]) });
  const dovecot = await startDovecot();
  atEnd(() => dovecot.stop());
  const records = hdfcRecords();
  const dns = await startDnsServer(({ name, type }) => {
    if (name === dovecot.host) return type === 'A' ? [{ name, type, ttl: 60, data: '127.0.0.1' }] : [];
    const record = records[name];
    // A string of a TXT record holds 255 bytes.
    return record ? [{ name, type: 'TXT', ttl: 60, data: record.match(/.{1,255}/g)! }] : 'nxdomain';
  });
  atEnd(() => dns.stop());
  const shop = await openShop();
  atEnd(() => shop.stop());

  const caFile = join(folder, 'ca.pem');
  writeFileSync(caFile, dovecot.ca);
  const program = await startLive(['web', 'mail', 'deliver'], world.databaseUrl, secretKey, {
    DNS_SERVERS: dns.address,
    IMAP_CA_FILE: caFile,
    WEBHOOK_ALLOW: `127.0.0.1,${dovecot.host}`,
  });
  atEnd(() => program.stop());

  const figures = { ours: [] as number[], bare: [] as number[] };
  const timed = async (user: string, reference: string, amount: string) => {
    const raw = hdfcMail({ amount, reference, to: user, sentAt: new Date() }, { gmail: true });
    const arrival = shop.arrival(reference);
    const start = performance.now();
    await dovecot.deliver(user, raw);
    return (await arrival) - start;
  };

  const lane = async (number: number) => {
    const user = `shop${number}@test.example`;
    const bareUser = `bare${number}@test.example`;
    const { merchantId } = await connectTestMailbox(world, dovecot, { user });
    const { apiKey } = await createApiKey(world.sql, world, merchantId, 'bench');
    await dovecot.setPassword(bareUser, password);
    const client = await watchBare(dovecot, bareUser, shop.url, atEnd);
    atEnd(() => client.close());
    await waitFor('the mailbox to be watched', async () => {
      const [row] = await world.sql`
        select from mailbox_states where merchant_id = ${merchantId} and last_good_poll is not null`;
      return row !== undefined;
    });
    for (let mail = 0; mail < mailsALane; mail++) {
      const order = await createOrder(program.url, apiKey, shop.url);
      const reference = String(100_000_000_000 + number * 1000 + mail);
      await pause();
      const ours = await timed(user, reference, order.payable_amount.toFixed(2));
      await pause();
      const bare = await timed(bareUser, `9${reference.slice(1)}`, order.payable_amount.toFixed(2));
      // The first mail of a lane wakes what sleeps: threads, statements, caches.
      if (mail === 0) continue;
      figures.ours.push(ours);
      figures.bare.push(bare);
    }
  };
  await Promise.all(Array.from({ length: lanes }, (_, number) => lane(number)));

  const row = (what: string, some: number[]) => ({
    what,
    mails: some.length,
    'p50 ms': Math.round(median(some)),
    'p99 ms': Math.round(quantile(some, 0.99)),
    least: Math.round(Math.min(...some)),
  });
  report({
    name: 'alert',
    aim: { atMost: 2 },
    ratio: median(figures.ours) / median(figures.bare),
    rows: [
      row('bare: imapflow is told, fetches, posts', figures.bare),
      row('ours: stored, verified, matched, paid, signed, sent', figures.ours),
    ],
  });
});

async function watchBare(
  { port, host, ca }: { port: number; host: string; ca: string },
  user: string,
  shopUrl: string,
  atEnd: AtEnd,
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
  const { origin, pathname } = new URL(shopUrl);
  const pool = new Pool(origin, { connections: 1 });
  atEnd(() => pool.destroy());
  client.on('exists', async ({ count }: { count: number }) => {
    const mail = await client.fetchOne(String(count), { source: true });
    const reference = /Reference No\.: (\d+)/.exec(mail ? (mail.source?.toString('latin1') ?? '') : '')?.[1];
    const body = JSON.stringify({ bank_reference: reference });
    const headers = { 'content-type': 'application/json' };
    const answer = await pool.request({ method: 'POST', path: pathname, headers, body });
    await answer.body.dump();
    client.idle().catch(() => {});
  });
  client.idle().catch(() => {});
  return client;
}
