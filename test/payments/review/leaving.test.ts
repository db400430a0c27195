import assert from 'node:assert/strict';
import { beforeEach, test } from 'node:test';
import { gunzipSync } from 'node:zlib';
import { openForwarding, replaceForwarding } from '../../../src/alerts/forwarding/open-forwarding.ts';
import { selectRecipient } from '../../../src/alerts/forwarding/queries/forwarding.ts';
import { oldestOpenWindows } from '../../../src/alerts/mailboxes/queries/positions.ts';
import { day, minute } from '../../../src/base/clock.ts';
import { paise } from '../../../src/base/money.ts';
import { removeMerchants } from '../../../src/business/accounts/remove-merchants.ts';
import { findBreaches } from '../../../src/operator/verify.ts';
import { keepHistory } from '../../../src/orders/history/keep-history.ts';
import { listArchives, readArchive } from '../../../src/orders/history/queries/archives.ts';
import { reviewShop } from '../../support/review-shop.ts';
import { settleWindows } from '../../support/settle-windows.ts';

const shop = reviewShop();
const { order, stray, attach, accept, decline, stateOf } = shop;
const base = paise(500_00);

/** A plan that remembers a month. */
beforeEach(async () => {
  const { sql } = shop.api.world;
  await sql`insert into plans (plan, history_days) values ('month', 30) on conflict do nothing`;
  await sql`update merchants set plan = 'month' where merchant_id = ${shop.merchant.merchantId}`;
  await settleWindows(sql);
});

async function stored(orderId: string): Promise<string | null> {
  const [row] = await shop.api.world.sql`select status from orders where order_id = ${orderId}`;
  return row?.['status'] ?? null;
}

async function isRawKept(alertId: string): Promise<boolean> {
  return (await shop.api.world.sql`select from raw_mails where alert_id = ${alertId}`).length === 1;
}

async function archived(): Promise<string> {
  const { world } = shop.api;
  const [month] = await listArchives(world.sql, shop.merchant.merchantId);
  const parts: Buffer[] = [];
  for await (const part of (month && (await readArchive(world, shop.merchant.merchantId, month.month))) ?? [])
    parts.push(part);
  return parts.length > 0 ? gunzipSync(Buffer.concat(parts)).toString() : '';
}

test('a waiting order is kept with its mail until somebody decides, however long, and then archived', async () => {
  const { order_id: orderId } = await order({ amount: 500 });
  const alertId = await stray({ amount: base });
  await attach(alertId, orderId);
  shop.api.world.clock.advance(54 * day);
  await keepHistory(shop.api.world);
  assert.deepEqual(
    [await stored(orderId), await archived(), await isRawKept(alertId)],
    ['manual_review', '', true],
  );

  assert.equal(await accept(alertId, orderId), null);
  await keepHistory(shop.api.world);
  const [header, row] = (await archived()).trimEnd().split('\r\n');
  assert.ok(
    header?.endsWith(',received_amount,purpose,given_back_amount') && row?.endsWith(',500.00,,'),
    `${header} ${row}`,
  );
  assert.equal(await stored(orderId), null);
  assert.equal(await isRawKept(alertId), false);
  assert.deepEqual(await findBreaches(shop.api.world), []);
});

test('the mail of money that was used for a younger order stays as long as that order', async () => {
  const alertId = await stray({ amount: base });
  shop.api.world.clock.advance(25 * day);
  const { order_id: orderId } = await order({ amount: 500 });
  assert.equal(await accept(alertId, orderId), null);
  shop.api.world.clock.advance(20 * day);
  await keepHistory(shop.api.world);
  assert.deepEqual([await stored(orderId), await isRawKept(alertId)], ['paid', true]);
  shop.api.world.clock.advance(25 * day);
  await keepHistory(shop.api.world);
  assert.deepEqual([await stored(orderId), await isRawKept(alertId)], [null, false]);
});

test('a customer’s claims are deleted with their order', async () => {
  const { sql, clock } = shop.api.world;
  const { order_id: orderId } = await order({ amount: 500 });
  await shop.claim(orderId, '620132678588');
  clock.advance(54 * day);
  await keepHistory(shop.api.world);
  assert.equal(await stored(orderId), null);
  assert.deepEqual(await sql`select from claimed_references where order_id = ${orderId}`, []);
});

test('while an order waits for a person, mail for it is read until the end of its time', async () => {
  const { sql, clock, config } = shop.api.world;
  const { merchantId } = shop.merchant;
  const opening = { merchantId, mailDomain: config.mailDomain ?? 'alerts.milaan.example', now: clock.now() };
  const forwardTo = await sql.begin(tx => openForwarding(tx, opening));
  const created = await order({ amount: 500 });
  const alertId = await stray({ amount: base });
  await attach(alertId, created.order_id);
  const now = clock.now();
  await sql.begin(tx => replaceForwarding(tx, { ...opening, now }));
  assert.equal(await selectRecipient(sql, forwardTo!, now), merchantId, 'her second payment, to the paisa');
  const [oldest] = await oldestOpenWindows(sql, [merchantId], now);
  assert.equal(oldest?.toISOString(), (await shop.get(created.order_id)).created_at);
});

test('an order that was archived a day early and decided since is archived again', async () => {
  const { order_id: orderId } = await order({ amount: 500 });
  shop.api.world.clock.advance(29 * day + minute);
  await keepHistory(shop.api.world);
  assert.match(await archived(), /,expired,/);
  const alertId = await stray({ amount: base });
  await attach(alertId, orderId);
  await decline(alertId, orderId);
  await keepHistory(shop.api.world);
  assert.match(await archived(), /,failed,/);
});

test('decisions and the archive at once leave each order in one place, with its money', async () => {
  for (let round = 0; round < 6; round++) {
    const { order_id: orderId } = await order({ amount: 500 });
    shop.api.world.clock.advance(29 * day + minute);
    await keepHistory(shop.api.world);
    const alertId = await stray({ amount: base });
    await attach(alertId, orderId);
    shop.api.world.clock.advance(16 * day);
    const [answer] = await Promise.all([accept(alertId, orderId), keepHistory(shop.api.world)]);
    assert.equal(answer, null);
    await keepHistory(shop.api.world);
    assert.equal(await stored(orderId), null);
    assert.deepEqual(await findBreaches(shop.api.world), []);
  }
});

test('a deleted business’s decisions and claims are deleted too, also during one', async () => {
  const { world } = shop.api;
  const { order_id: orderId } = await order({ amount: 500 });
  const alertId = await stray({ amount: base, reference: '620132678599' });
  const second = await stray({ amount: base });
  await shop.claim(orderId, '620132678599');
  assert.equal(await stateOf(alertId), 'attached');
  const { merchantId } = shop.merchant;
  await world.sql`
    update merchants set deletion_requested_at = created_at - interval '8 days' where merchant_id = ${merchantId}`;
  const [removed, ...answers] = await Promise.all([
    removeMerchants(world),
    accept(alertId, orderId),
    shop.end(second, 'kept'),
    shop.claim(orderId, '1'.repeat(12)),
  ]);
  assert.equal(removed.merchants, 1);
  assert.ok([null, 'unknown_credit'].includes(answers[0]!) && [null, 'unknown_credit'].includes(answers[1]!));
  for (const table of ['handled_credits', 'claimed_references', 'orders', 'alerts', 'audit_log'])
    assert.deepEqual(
      await world.sql.unsafe(`select from ${table} where merchant_id = $1`, [merchantId]),
      [],
      table,
    );
});
