import assert from 'node:assert/strict';
import { test } from 'node:test';
import { boundStrangersMails, mostWaitingBytes } from '../../../src/alerts/judging/bound-strangers-mails.ts';
import { day, hour, later, minute, second } from '../../../src/base/clock.ts';
import { findBreaches } from '../../../src/operator/verify.ts';
import type { News } from '../../../src/outbox/notices/queries.ts';
import { sayNotice } from '../../../src/texts/say.ts';
import { doubtedShop, newKey, oldKey, wrongKey } from '../../support/doubted-shop.ts';
import { altered } from '../../support/genuine-alert.ts';

const shop = doubtedShop();

test('no payment is lost when a key changes under its selector while the resolver has the old one', async () => {
  const { clock } = shop.api.world;
  shop.publish('s1', oldKey);
  await shop.mail(1, { key: oldKey });
  await shop.judge();
  clock.advance(2 * second);

  const order = await shop.order();
  const alertId = await shop.mail(order.payable_amount, { key: newKey });
  await shop.judge();
  assert.equal((await shop.alert(alertId)).verdict, 'retrying');
  assert.equal(await shop.statusOf(order.order_id), 'pending');

  clock.advance(15 * second);
  shop.publish('s1', newKey);
  clock.advance(45 * second);
  await shop.judge();
  assert.equal((await shop.alert(alertId)).verdict, 'paid');
  assert.equal(await shop.statusOf(order.order_id), 'paid');
});

test('no payment is lost when a new selector has a wrong key for less than a day', async () => {
  const { clock } = shop.api.world;
  for (const lasting of [15 * second, 9 * minute, 59 * minute, 5 * hour, 23 * hour]) {
    const selector = `s${lasting}`;
    shop.publish(selector, wrongKey);
    const order = await shop.order();
    const alertId = await shop.mail(order.payable_amount, { selector, key: newKey });
    await shop.judge();
    clock.advance(lasting);
    await shop.judge();
    assert.equal((await shop.alert(alertId)).verdict, 'retrying');
    shop.publish(selector, newKey);
    clock.set((await shop.alert(alertId)).next_try_at!);
    await shop.judge();
    assert.equal((await shop.alert(alertId)).verdict, 'paid', `${lasting} ms`);
    assert.equal(await shop.statusOf(order.order_id), 'paid');
  }
  assert.deepEqual(await findBreaches(shop.api.world), []);
});

test('an alert judged late pays the order of its own time, not the one that holds the amount now', async () => {
  const { clock, sql } = shop.api.world;
  shop.publish('s1', wrongKey);
  const order = await shop.order();
  const alertId = await shop.mail(order.payable_amount, { key: newKey });
  await shop.judge();
  clock.advance(hour);
  await sql`
    insert into amounts (merchant_id, payable_paise, held_until, order_id)
    select ${shop.merchant.merchantId}, 49900 + n, 'infinity', 'nobody' from generate_series(1, 299) n
    where 49900 + n <> ${Math.round(order.payable_amount * 100)}
    on conflict do nothing`;
  const next = await shop.order();
  assert.equal(next.payable_amount, order.payable_amount);
  shop.publish('s1', newKey);
  await shop.judge();
  assert.equal((await shop.alert(alertId)).verdict, 'paid');
  assert.equal(await shop.statusOf(order.order_id), 'paid');
  assert.equal(await shop.statusOf(next.order_id), 'pending');
});

test('a mail that waits for its key counts even if its address is removed meanwhile', async () => {
  const { clock, sql } = shop.api.world;
  shop.publish('s1', wrongKey);
  const order = await shop.order();
  const alertId = await shop.mail(order.payable_amount, { key: newKey });
  await shop.judge();
  await sql`delete from extra_alert_addresses where merchant_id = ${shop.merchant.merchantId}`;
  shop.publish('s1', newKey);
  clock.advance(minute);
  await shop.judge();
  assert.equal((await shop.alert(alertId)).verdict, 'paid');
});

test('a key that never fits is asked for after 1 min, 10 min, 1 h, 6 h and 24 h; then the mail is forged and pays nothing', async () => {
  const { clock, sql, metrics } = shop.api.world;
  shop.publish('s1', newKey);
  const order = await shop.order();
  const alertId = await shop.mail(order.payable_amount, { key: wrongKey });
  const arrived = clock.now();
  const looks: number[] = [];
  for (;;) {
    const before = shop.asked;
    assert.equal(await shop.judge(), 1);
    assert.ok(shop.asked > before, 'DNS itself was asked');
    const { verdict, next_try_at } = await shop.alert(alertId);
    if (next_try_at === null) break;
    assert.equal(verdict, 'retrying');
    looks.push(next_try_at.getTime() - arrived.getTime());
    clock.set(next_try_at);
  }
  assert.deepEqual(looks, [minute, 10 * minute, hour, 6 * hour, day]);
  const { verdict, reason } = await shop.alert(alertId);
  assert.equal(verdict, 'forged');
  assert.match(reason, /^Given up after a day\. The key that DNS holds at s1\._domainkey\.test\.bank\.in/);
  assert.equal(await shop.statusOf(order.order_id), 'expired');

  const [row] =
    await sql`select amount_paise, signature_id, order_id from alerts where alert_id = ${alertId}`;
  assert.deepEqual({ ...row }, { amount_paise: null, signature_id: null, order_id: null });
  const text = await metrics.registry.metrics();
  assert.match(text, /milaan_alerts_judged_total\{bank="test",verdict="forged"\} 1/);
  assert.doesNotMatch(text, /verdict="retrying"/);

  const rows = await sql<
    News[]
  >`select kind, facts from notices where merchant_id = ${shop.merchant.merchantId}`;
  const notices = rows.map(row => sayNotice('en', row));
  assert.equal(notices.length, 1);
  assert.match(notices[0]!.subject, /^No payment:/);
  assert.match(notices[0]!.text, /it pays no order/);
  assert.doesNotMatch(`${notices[0]!.subject} ${notices[0]!.text}`, /\bRs\b|₹|rupee|credited|received/i);
});

test('a flood under keys that do not exist causes one notice per hour', async () => {
  const { clock, sql } = shop.api.world;
  for (const _ of [1, 2]) {
    for (let n = 0; n < 10; n++) await shop.mail(2, { selector: `made-up-${n}`, key: wrongKey });
    clock.advance(hour);
  }
  for (const at of [hour, day, day]) {
    clock.advance(at);
    await shop.judge();
  }
  const rows =
    await sql`select verdict, count(*) as count from alerts where merchant_id = ${shop.merchant.merchantId} group by 1`;
  assert.deepEqual(
    rows.map(row => ({ ...row })),
    [{ verdict: 'unreadable', count: 20 }],
  );
  const notices = await sql`select from notices where merchant_id = ${shop.merchant.merchantId}`;
  assert.equal(notices.length, 2);
});

test('headers changed after signing are forged at once: no later key can make them valid', async () => {
  const { clock, sql } = shop.api.world;
  shop.publish('s1', newKey);
  const order = await shop.order();
  const alertId = await shop.mail(order.payable_amount, { key: newKey, change: { To: 'someone@else.in' } });
  const { storeMail } = await import('../../../src/alerts/judging/store-mail.ts');
  const { readRaw } = await import('../../support/read-raw.ts');
  const genuine = (await readRaw(sql, shop.merchant.merchantId, alertId))!;
  const raw = altered(genuine, 'To: someone@else.in', 'To: merchant@shop.in');
  const { merchantId } = shop.merchant;
  const changed = await sql.begin(tx =>
    storeMail(tx, { merchantId, raw, arrivedAt: clock.now(), foundIn: 'INBOX/1/2' }),
  );
  await shop.judge();
  assert.equal((await shop.alert(changed.alertId)).verdict, 'forged');
  assert.match((await shop.alert(changed.alertId)).reason, /Its headers were changed/);
});

test('a key that DNS had for a moment and then denies makes no payment in the next two days', async () => {
  const { clock } = shop.api.world;
  shop.publish('s9', wrongKey);
  await shop.mail(1, { selector: 's9', key: wrongKey });
  await shop.judge();
  shop.api.world.dns.texts.clear();
  clock.advance(6 * minute);
  const order = await shop.order();
  const alertId = await shop.mail(order.payable_amount, { selector: 's9', key: wrongKey });
  await shop.judge();
  assert.equal((await shop.alert(alertId)).verdict, 'retrying');
  assert.equal(await shop.statusOf(order.order_id), 'pending');
});

test('mails that wait for a key have a limit of bytes per business, and large ones do not displace small ones', async () => {
  const { clock, sql } = shop.api.world;
  shop.publish('s1', oldKey);
  const order = await shop.order();
  const alertId = await shop.mail(order.payable_amount, { key: newKey });
  await shop.judge();
  const large = Math.floor(mostWaitingBytes / 10);
  await sql`
    insert into alerts (merchant_id, alert_id, raw_bytes, arrived_at, found_in, verdict, tries, doubted_at, next_try_at,
      purse, kept_bytes)
    select ${shop.merchant.merchantId}, 'large' || n, ${large}, ${clock.now()}, 'x', 'retrying', 1,
      ${clock.now()}, ${later(clock.now(), minute)}, 'waiting', ${large}
    from generate_series(1, 12) n`;
  await sql`
    insert into raw_mails (merchant_id, alert_id, arrived_at, raw)
    select merchant_id, alert_id, arrived_at, decode(repeat('ab', raw_bytes), 'hex')
    from alerts where alert_id like 'large%'`;
  assert.equal(await boundStrangersMails(shop.api.world), 2);
  assert.equal(await boundStrangersMails(shop.api.world), 0);
  const [kept] = await sql`
    select sum(octet_length(raw))::bigint as bytes from raw_mails where merchant_id = ${shop.merchant.merchantId}`;
  assert.ok(kept!['bytes'] <= mostWaitingBytes + 10_000);
  assert.equal((await shop.alert(alertId)).verdict, 'retrying');
  const [given] = await sql`
    select count(*) as count from alerts where merchant_id = ${shop.merchant.merchantId} and verdict = 'forged' and alert_id not in (select alert_id from raw_mails)`;
  assert.equal(given!['count'], 2);
});
