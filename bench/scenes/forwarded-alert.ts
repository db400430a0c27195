import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { createTransport } from 'nodemailer';
import { SMTPServer } from 'smtp-server';
import { Pool } from 'undici';
import { openForwarding } from '../../src/alerts/forwarding/open-forwarding.ts';
import { freePort } from '../../src/base/free-port.ts';
import { secretBox } from '../../src/base/secrets.ts';
import { startDnsServer } from '../../test/support/dns-server.ts';
import { openMailWorld } from '../../test/support/test-mailbox.ts';
import { addTestMerchant } from '../../test/support/test-world.ts';
import { createOrder, openShop } from '../mail/arrival-shop.ts';
import { hdfcMail, hdfcRecords } from '../mail/hdfc-mail.ts';
import { median, quantile } from '../mail/in-turns.ts';
import { startLive } from '../mail/start-live.ts';
import { type AtEnd, withEndings } from '../mail/with-endings.ts';
import { report } from '../report.ts';

/**
 * From the moment a mail server connects to hand a forwarded alert over until the shop's server has the webhook. The
 * whole program, configured live, in its own process: mail taken and stored before it is answered, signature verified
 * with keys from DNS, order found and paid, event written, webhook signed and sent. Against the least one could do: a
 * bare smtp-server that takes the same mail and posts a few bytes. In turns, mail by mail, each on a connection of its
 * own, as providers hand over.
 */
const lanes = 4;
const mailsALane = 26;
const pause = () => sleep(100 + Math.random() * 200);

const secretKey = randomBytes(32);
const mailDomain = 'alerts.example.in';

await withEndings(async atEnd => {
  const world = await openMailWorld({ MAIL_DOMAIN: mailDomain });
  atEnd(() => world.stop());
  Object.assign(world, { secrets: secretBox([secretKey]) });
  const records = hdfcRecords();
  const dns = await startDnsServer(({ name }) => {
    const record = records[name];
    // A string of a TXT record holds 255 bytes.
    return record ? [{ name, type: 'TXT', ttl: 60, data: record.match(/.{1,255}/g)! }] : 'nxdomain';
  });
  atEnd(() => dns.stop());
  const shop = await openShop();
  atEnd(() => shop.stop());
  const smtpPort = await freePort();
  const program = await startLive(['web', 'mail', 'deliver', 'receive'], world.databaseUrl, secretKey, {
    DNS_SERVERS: dns.address,
    MAIL_DOMAIN: mailDomain,
    RECEIVE_PORT: `127.0.0.1:${smtpPort}`,
  });
  atEnd(() => program.stop());
  const barePort = await startBare(shop.url, atEnd);

  const figures = { ours: [] as number[], bare: [] as number[] };
  const timed = async (port: number, to: string, reference: string, amount: string) => {
    const raw = hdfcMail({ amount, reference, to, sentAt: new Date() }, { gmail: true });
    const arrival = shop.arrival(reference);
    const start = performance.now();
    const transport = createTransport({ host: '127.0.0.1', port, ignoreTLS: true });
    await transport.sendMail({ envelope: { from: 'bounce@provider.example', to }, raw });
    transport.close();
    return (await arrival) - start;
  };

  const lane = async (number: number) => {
    const { merchantId, apiKey } = await addTestMerchant(world);
    const opening = { merchantId, mailDomain, now: world.clock.now() };
    const forwardTo = await world.sql.begin(tx => openForwarding(tx, opening));
    if (forwardTo === null) throw new Error('there is no forwarding address');
    for (let mail = 0; mail < mailsALane; mail++) {
      const order = await createOrder(program.url, apiKey, shop.url);
      const amount = order.payable_amount.toFixed(2);
      const reference = String(100_000_000_000 + number * 1000 + mail);
      await pause();
      const ours = await timed(smtpPort, forwardTo, reference, amount);
      await pause();
      const bare = await timed(barePort, forwardTo, `9${reference.slice(1)}`, amount);
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
    name: 'forwarded-alert',
    aim: { atMost: 2 },
    ratio: median(figures.ours) / median(figures.bare),
    rows: [
      row('bare: smtp-server takes it, posts', figures.bare),
      row('ours: stored, verified, matched, paid, signed, sent', figures.ours),
    ],
  });
});

/** Takes any mail and posts its reference, with nothing in between. */
async function startBare(shopUrl: string, atEnd: AtEnd): Promise<number> {
  const { origin, pathname } = new URL(shopUrl);
  const pool = new Pool(origin, { connections: 4 });
  atEnd(() => pool.destroy());
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS', 'AUTH'],
    disableReverseLookup: true,
    onData(stream, _session, done) {
      const parts: Buffer[] = [];
      stream.on('data', part => parts.push(part));
      stream.on('end', async () => {
        const reference = /Reference No\.: (\d+)/.exec(Buffer.concat(parts).toString('latin1'))?.[1];
        const body = JSON.stringify({ bank_reference: reference });
        const headers = { 'content-type': 'application/json' };
        const answer = await pool.request({ method: 'POST', path: pathname, headers, body });
        await answer.body.dump();
        done();
      });
    },
  });
  server.listen(0, '127.0.0.1');
  await once(server.server, 'listening');
  atEnd(() => new Promise<void>(resolve => server.close(() => resolve())));
  return (server.server.address() as AddressInfo).port;
}
