import { judgeStoredMails } from '../../src/alerts/judging/judge-stored-mails.ts';
import { openJudging } from '../../src/alerts/judging/open-judging.ts';
import { storeMail } from '../../src/alerts/judging/store-mail.ts';
import type { Sql } from '../../src/base/database/connect.ts';
import { newApp } from '../../src/base/http/app.ts';
import { orderRoutes } from '../../src/orders/routes.ts';
import { startDelivering } from '../../src/outbox/webhooks/start-delivering.ts';
import { orderBody } from '../../test/support/api.ts';
import { liveSettings } from '../../test/support/live-config.ts';
import { mailKey, signMail } from '../../test/support/signed-mail.ts';
import { addTestMerchant, openTestWorld, type TestWorld } from '../../test/support/test-world.ts';
import { waitFor } from '../../test/support/wait-for.ts';
import { startReceiver } from '../../test/support/webhook-receiver.ts';

/**
 * `npm run bench -- order-bytes`: how many bytes of write-ahead log and of tables one order costs, created and
 * paid on the real path. Bytes are the same on every machine; docs/scaling.md reckons with them.
 */
const orders = 2000;
const merchantCount = 20;
const judgedAtOnce = 50;

// The log belongs to the whole server, so nobody else may write to it.
delete process.env['MILAAN_TEST_SERVER'];
const world = await openTestWorld({ ...liveSettings, WEBHOOK_ALLOW: '127.0.0.1' });
const shop = await startReceiver();
try {
  await measure(world);
} finally {
  await shop.stop();
  await world.stop();
}

async function measure({ sql }: TestWorld): Promise<void> {
  world.clock.set(new Date());
  const merchants = await openMerchants();
  const empty = await tableBytes(sql);
  await sql.unsafe('checkpoint');
  const start = await logBytes(sql);
  const created = await createOrders(merchants);
  const middle = await logBytes(sql);
  const unpaid = await tableBytes(sql);
  const mailBytes = await payAll(created);
  const end = await logBytes(sql);
  await sql.unsafe('vacuum');
  const paid = await tableBytes(sql);
  const each = (bytes: number) => `${Math.round(bytes / orders)} bytes`;
  console.log(`log of a create          ${each(middle - start)}`);
  console.log(`log of a payment         ${each(end - middle)}`);
  console.log(`tables of an order       ${each(unpaid - empty)}`);
  console.log(`tables of a paid order   ${each(paid - empty)}`);
  console.log(`alert mail as it came    ${each(mailBytes)}`);
}

type Merchant = { merchantId: number; apiKey: string; address: string };

async function openMerchants(): Promise<Merchant[]> {
  const made: Merchant[] = [];
  for (let count = 0; count < merchantCount; count++) {
    const { merchantId, apiKey } = await addTestMerchant(world);
    const address = `owner${count}@chaipoint.example`;
    const now = world.clock.now();
    await world.sql`
      insert into extra_alert_addresses (merchant_id, address, added_at, confirmed_at)
      values (${merchantId}, ${address}, ${now}, ${now})`;
    made.push({ merchantId, apiKey, address });
  }
  return made;
}

type Created = { merchant: Merchant; payable: number };

async function createOrders(merchants: Merchant[]): Promise<Created[]> {
  const app = newApp(world);
  await orderRoutes(app, world);
  const created: Created[] = [];
  for (let count = 0; count < orders; count++) {
    const merchant = merchants[count % merchantCount]!;
    const answer = await app.inject({
      method: 'POST',
      url: '/api/v1/orders',
      headers: { 'x-api-key': merchant.apiKey, 'content-type': 'application/json' },
      payload: JSON.stringify(
        orderBody({
          webhook_url: shop.url,
          amount: 500 + Math.floor(count / merchantCount),
          customer: { name: 'Ravi Kumar', email: 'ravi.kumar@example.com' },
        }),
      ),
    });
    if (answer.statusCode !== 201) throw new Error(answer.body);
    created.push({ merchant, payable: answer.json().payable_amount });
  }
  await app.close();
  return created;
}

/** Pays each order with a mail of the usual size, which is judged, matched and reported. Returns all mails' bytes. */
async function payAll(created: Created[]): Promise<number> {
  const { sql, clock, dns } = world;
  const key = mailKey(2048, 'hdfc');
  dns.texts.set('alerts._domainkey.hdfcbank.net', [key.record]);
  const judging = openJudging(world);
  const delivering = startDelivering(world);
  const foot = 'For charges and fees visit the website. Never share your PIN with anybody. '.repeat(50);
  let bytes = 0;
  for (const [count, { merchant, payable }] of created.entries()) {
    const lines = [
      'From: HDFC Bank InstaAlerts <alerts@hdfcbank.net>',
      `To: ${merchant.address}`,
      'Subject: View: Account update for your HDFC Bank A/c',
      `Date: ${clock.now().toUTCString().replace('GMT', '+0000')}`,
      'MIME-Version: 1.0',
      'Content-Type: text/html; charset=utf-8',
    ];
    const body =
      `<p>Dear Customer, Rs. ${payable.toFixed(2)} is successfully credited to your account **4321 by VPA ` +
      `ravi@okaxis RAVI KUMAR on 15-11-26. Your UPI transaction reference number is ${640_000_000_000 + count}.</p>\r\n` +
      `<p>${foot}</p>\r\n`;
    const raw = signMail(lines, body, { domain: 'hdfcbank.net', selector: 'alerts', key });
    bytes += raw.length;
    const { merchantId } = merchant;
    const foundIn = `INBOX/1/${count}`;
    await sql.begin(tx => storeMail(tx, { merchantId, raw, arrivedAt: clock.now(), foundIn }));
    if (count % judgedAtOnce === 0) await judgeStoredMails(world, judging.tools);
  }
  await judgeStoredMails(world, judging.tools);
  await waitFor('every webhook', () => shop.received.length >= created.length, 120_000);
  await delivering.stop();
  await judging.close();
  return bytes;
}

async function logBytes(sql: Sql): Promise<number> {
  const [row] = await sql<{ bytes: number }[]>`
    select pg_wal_lsn_diff(pg_current_wal_lsn(), '0/0')::bigint as bytes`;
  return row!.bytes;
}

async function tableBytes(sql: Sql): Promise<number> {
  const [row] = await sql<{ bytes: number }[]>`
    select sum(pg_total_relation_size(oid))::bigint as bytes from pg_class
    where relkind = 'r' and relnamespace = 'public'::regnamespace`;
  return row!.bytes;
}
