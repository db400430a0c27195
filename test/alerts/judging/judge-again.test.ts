import assert from 'node:assert/strict';
import { test } from 'node:test';
import { judgeAgain } from '../../../src/alerts/judging/judge-stored-mails.ts';
import { day, hour, minute } from '../../../src/base/clock.ts';
import { findBreaches } from '../../../src/operator/verify.ts';
import { doubtedShop, lostPayment, newKey } from '../../support/doubted-shop.ts';

const shop = doubtedShop();
const everything = { merchantId: null, bank: null, day: null, alertId: null };
const again = (chosen: object) =>
  judgeAgain(shop.api.world, shop.judging.tools, { ...everything, ...chosen });

test('a forged mail that is judged again days later pays the order of its own time', async () => {
  const { clock, sql } = shop.api.world;
  const { order, alertId } = await lostPayment(shop);
  clock.advance(2 * day);
  shop.publish('s1', newKey);
  assert.deepEqual(await again({ alertId }), [{ before: 'forged', after: 'paid', count: 1 }]);
  assert.equal(await shop.statusOf(order.order_id), 'paid');
  const events = await sql`select from events where order_id = ${order.order_id}`;
  assert.equal(events.length, 1);
  assert.deepEqual(await findBreaches(shop.api.world), []);
});

test('a mail from before its key was withdrawn pays after DNS has the key again, automatically or judged again', async () => {
  const { clock } = shop.api.world;
  const withdrawn = { ...newKey, record: 'v=DKIM1; p=' };
  for (const isForged of [false, true]) {
    const selector = `w${isForged}`;
    shop.publish(selector, newKey);
    for (let times = 0; times < 2; times++) {
      await shop.mail(1, { selector, key: newKey });
      await shop.judge();
      clock.advance(2 * hour);
    }
    const order = await shop.order();
    const alertId = await shop.mail(order.payable_amount, { selector, key: newKey });
    shop.publish(selector, withdrawn);
    await shop.judge();
    assert.equal((await shop.alert(alertId)).verdict, 'retrying');
    if (isForged) clock.advance(day);
    else shop.publish(selector);
    clock.advance(minute);
    await shop.judge();
    assert.equal((await shop.alert(alertId)).verdict, isForged ? 'forged' : 'retrying');
    assert.notEqual(await shop.statusOf(order.order_id), 'paid');
    shop.publish(selector, newKey);
    clock.advance(minute);
    if (isForged) assert.equal((await again({ alertId }))[0]?.after, 'paid');
    else await shop.judge();
    assert.equal(await shop.statusOf(order.order_id), 'paid');
  }
  assert.deepEqual(await findBreaches(shop.api.world), []);
});

test('judging again keeps the decisions of matching: nothing is paid twice', async () => {
  const { sql } = shop.api.world;
  const { order } = await lostPayment(shop);
  shop.publish('s1', newKey);
  const { merchantId } = shop.merchant;
  await again({ merchantId });
  const paid = await sql`select * from orders where order_id = ${order.order_id}`;
  assert.deepEqual(await again({ merchantId }), []);
  assert.deepEqual(await sql`select * from orders where order_id = ${order.order_id}`, paid);
  assert.equal((await sql`select from events where order_id = ${order.order_id}`).length, 1);
});

test('a copy of a mail that paid, judged again, is a duplicate', async () => {
  const { sql } = shop.api.world;
  const { alertId } = await lostPayment(shop);
  const { storeMail } = await import('../../../src/alerts/judging/store-mail.ts');
  const { readRaw } = await import('../../support/read-raw.ts');
  const { merchantId } = shop.merchant;
  const genuine = (await readRaw(sql, merchantId, alertId))!;
  const raw = Buffer.concat([Buffer.from('Received: by another.example\r\n'), genuine]);
  const arrivedAt = shop.api.world.clock.now();
  await sql.begin(tx => storeMail(tx, { merchantId, raw, arrivedAt, foundIn: 'INBOX/1/2' }));
  await shop.judge();
  shop.api.world.clock.advance(minute);
  shop.publish('s1', newKey);
  const changes = await again({ merchantId });
  assert.deepEqual(changes.map(change => change.after).sort(), ['duplicate', 'paid']);
  assert.deepEqual(await findBreaches(shop.api.world), []);
});

test('a forgery judged again stays forged: it gets one check, no second day and no second notice', async () => {
  const { sql } = shop.api.world;
  const { alertId } = await lostPayment(shop);
  const notices = () => sql`select from notices where merchant_id = ${shop.merchant.merchantId}`;
  const notified = (await notices()).length;
  assert.deepEqual(await again({ alertId }), [{ before: 'forged', after: 'forged', count: 1 }]);
  assert.equal((await shop.alert(alertId)).next_try_at, null);
  assert.equal((await notices()).length, notified);
});

test('business, bank and Indian day of arrival each select mails; a mail without bytes is not judged', async () => {
  const { clock, sql } = shop.api.world;
  clock.set('2026-12-14T18:29:00Z');
  const { alertId } = await lostPayment(shop);
  const { merchantId } = shop.merchant;
  const judged = async (chosen: object) => (await again({ merchantId, ...chosen })).length;
  assert.equal(await judged({ merchantId: merchantId + 1 }), 0);
  assert.equal(await judged({ bank: 'hdfc' }), 0);
  assert.equal(await judged({ day: '2026-12-15' }), 0);
  assert.equal(await judged({ day: '2026-12-14' }), 1);
  assert.equal(await judged({ bank: 'test', day: '2026-12-14' }), 1);
  await sql`delete from raw_mails where alert_id = ${alertId}`;
  assert.deepEqual(await again({ alertId }), []);
  assert.equal((await shop.alert(alertId)).verdict, 'forged');
});

test('a mail that a judge has claimed is not judged again', async () => {
  const { clock, sql } = shop.api.world;
  const { alertId } = await lostPayment(shop);
  await sql`update alerts set claim = 'him', leased_until = ${new Date(clock.now().getTime() + minute)} where alert_id = ${alertId}`;
  assert.deepEqual(await again({ alertId }), []);
});
