import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { test } from 'node:test';
import {
  boundStrangersMails,
  mostSmallWaitingBytes,
  mostStrangersBytes,
  mostWaitingBytes,
} from '../../../src/alerts/judging/bound-strangers-mails.ts';
import { storeMail } from '../../../src/alerts/judging/store-mail.ts';
import { hour, second } from '../../../src/base/clock.ts';
import { doubtedShop, newKey, oldKey, wrongKey } from '../../support/doubted-shop.ts';
import { altered, linesWith } from '../../support/genuine-alert.ts';
import { readRaw } from '../../support/read-raw.ts';
import { signMail } from '../../support/signed-mail.ts';

const shop = doubtedShop();

/** Bytes that nothing makes smaller, as text. */
const noise = (bytes: number) =>
  `${randomBytes(Math.ceil((bytes * 3) / 4))
    .toString('base64')
    .replace(/.{76}/g, '$&\r\n')}\r\n`;

async function store(raw: Buffer): Promise<string> {
  const { sql, clock } = shop.api.world;
  const { merchantId } = shop.merchant;
  const mail = { merchantId, raw, arrivedAt: clock.now(), foundIn: 'INBOX/1/1' };
  return (await sql.begin(tx => storeMail(tx, mail))).alertId;
}

const plain = (body: string) => Buffer.from([...linesWith({}), '', body].join('\r\n'), 'latin1');

async function keptBytes(): Promise<number> {
  const [row] = await shop.api.world.sql<{ bytes: number }[]>`
    select coalesce(sum(octet_length(raw)), 0)::bigint as bytes from raw_mails where merchant_id = ${shop.merchant.merchantId}`;
  return row!.bytes;
}

test('a flood is limited before PostgreSQL sees it', async () => {
  const { sql } = shop.api.world;
  // The last it saw of the table was a page without a row.
  await store(plain('one mail'));
  await sql`delete from alerts`;
  await sql`analyze alerts`;
  await flood('unknown', 5_000, 12_000);
  assert.ok((await boundStrangersMails(shop.api.world)) > 0);
  assert.ok((await keptBytes()) <= mostSmallWaitingBytes);
  await sql`delete from alerts`;
  await sql`delete from raw_mails`;
});

test('hundreds of forged mails of several sizes keep no more bytes than their limit, the newest of them', async () => {
  const { clock, sql } = shop.api.world;
  const { merchantId } = shop.merchant;
  const sizes = [1_000, 60_000, 100_000, 100_000];
  let last = '';
  for (let hundred = 0; hundred < 10; hundred++) {
    await sql.begin(async tx => {
      for (let n = 0; n < 100; n++) {
        const raw = plain(noise(sizes[n % sizes.length]!));
        last = (await storeMail(tx, { merchantId, raw, arrivedAt: clock.now(), foundIn: 'INBOX/1/1' }))
          .alertId;
        clock.advance(50);
      }
    });
  }
  await shop.judge();
  assert.ok((await keptBytes()) > 2 * mostStrangersBytes, 'they were kept until now');
  assert.ok((await boundStrangersMails(shop.api.world)) > 400);
  assert.equal(await boundStrangersMails(shop.api.world), 0);
  assert.ok((await keptBytes()) <= mostStrangersBytes, `${await keptBytes()} of ${mostStrangersBytes}`);
  assert.ok(
    await readRaw(shop.api.world.sql, shop.merchant.merchantId, last),
    'the newest is evidence still',
  );
  const [row] = await shop.api.world.sql`
    select count(*) as count from alerts where merchant_id = ${shop.merchant.merchantId} and verdict = 'forged'`;
  assert.equal(row!['count'], 1_000, 'each is reported, with or without its bytes');
});

test('strangers’ mails do not displace an unreadable bank mail to us, or one that was changed on its way', async () => {
  const { clock, sql } = shop.api.world;
  shop.publish('s1', newKey);
  const unreadable = await shop.mail(1, { key: newKey, body: 'Dear Customer, something new.\r\n' });
  const genuine = await shop.mail(2, { key: newKey });
  const raw = (await readRaw(sql, shop.merchant.merchantId, genuine))!;
  const changed = await store(altered(raw, 'Subject: Account', 'Subject: [EXTERNAL] Account'));
  await shop.judge();
  assert.equal((await shop.alert(unreadable)).verdict, 'unreadable');
  assert.equal((await shop.alert(changed)).verdict, 'forged');
  clock.advance(second);
  for (let n = 0; n < 260; n++) await store(plain(noise(100_000)));
  await shop.judge();
  assert.ok((await boundStrangersMails(shop.api.world)) > 0);
  for (const kept of [unreadable, changed])
    assert.ok(await readRaw(sql, shop.merchant.merchantId, kept), kept);
});

test('large genuine alerts that wait for a key are not displaced by many small ones, nor by an earlier flood', async () => {
  const { clock, sql } = shop.api.world;
  shop.publish('s1', oldKey);
  const order = await shop.order();
  const text = `Dear Customer, Rs.${order.payable_amount.toFixed(2)} is credited to your account XX4321 by ravi@okbank. UPI reference 700123456789. Thank you.\r\n`;
  const pictures = `\r\n${noise(60_000)}`;
  const waiting = await shop.mail(1, { key: newKey, body: text + pictures });
  await shop.judge();
  assert.equal((await shop.alert(waiting)).verdict, 'retrying');
  await flood('small', 5_000, 12_000);
  clock.advance(hour);
  await flood('large', 120, 1_000_000);
  assert.ok((await boundStrangersMails(shop.api.world)) > 0);
  assert.ok((await keptBytes()) <= mostWaitingBytes + mostSmallWaitingBytes);
  assert.equal((await shop.alert(waiting)).verdict, 'retrying');
  assert.ok(await readRaw(sql, shop.merchant.merchantId, waiting));
});

test('the head of a mail too large to read counts towards the same limit', async () => {
  const { sql } = shop.api.world;
  const alertId = await store(plain(noise(1_200_000)));
  const [row] = await sql`select purse, kept_bytes > 0 as counted from alerts where alert_id = ${alertId}`;
  assert.deepEqual({ ...row }, { purse: 'stranger', counted: true });
});

test('a bank’s mail to somebody else, sent repeatedly with other headers, is limited too', async () => {
  const { sql } = shop.api.world;
  shop.publish('s1', newKey);
  const theirs = signMail(linesWith({ To: 'attacker@else.in' }), 'Dear Customer, hello.\r\n', {
    domain: 'test.bank.in',
    key: newKey,
  });
  const alertId = await store(Buffer.concat([Buffer.from('X-Padding: 1\r\n'), theirs]));
  const forged = await store(signMail(linesWith({}), 'Dear.\r\n', { domain: 'test.bank.in', key: wrongKey }));
  await shop.judge();
  const rows = await sql`select alert_id, purse from alerts where alert_id in ${sql([alertId, forged])}`;
  assert.deepEqual(Object.fromEntries(rows.map(row => [row['alert_id'], row['purse']])), {
    [alertId]: 'opened',
    [forged]: 'waiting',
  });
});

/** Mails of this business that wait for a key, all of them at once. */
async function flood(name: string, count: number, bytes: number) {
  const { clock, sql } = shop.api.world;
  const { merchantId } = shop.merchant;
  await sql`
    insert into alerts (merchant_id, alert_id, raw_bytes, arrived_at, found_in, verdict, tries, next_try_at, purse, kept_bytes)
    select ${merchantId}, ${name} || n, ${bytes}, ${clock.now()}, 'x', 'retrying', 1, ${clock.now()}, 'waiting', ${bytes}
    from generate_series(1, ${count}) n`;
  await sql`
    insert into raw_mails (merchant_id, alert_id, arrived_at, raw)
    select merchant_id, alert_id, arrived_at, decode(repeat('ab', raw_bytes), 'hex')
    from alerts where merchant_id = ${merchantId} and alert_id like ${`${name}%`}`;
}
