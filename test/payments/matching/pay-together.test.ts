import assert from 'node:assert/strict';
import { test } from 'node:test';
import { confirmPayment } from '../../../src/payments/matching/confirm-payment.ts';
import { payAtOnce } from '../../../src/payments/matching/pay-at-once.ts';
import { paidTraces } from '../../support/between-look-and-pay.ts';
import { matchingShop } from '../../support/matching-shop.ts';
import { paidTogether, payables } from '../../support/paid-together.ts';

const shop = matchingShop();
const world = () => shop.api.world;

test('eight that are under way together are paid by one statement, each told once', async () => {
  const made = await payables(shop, 8, 3);
  const sql = paidTogether(world().sql, 8);
  const paid = await Promise.all(made.map(({ credit }) => payAtOnce({ ...world(), sql }, credit)));
  assert.deepEqual(
    paid,
    made.map(({ orderId }) => ({ outcome: 'paid', orderId })),
  );
  assert.deepEqual(sql.sent, ['pay_several']);
  for (const { credit } of made) {
    const traces = await paidTraces(world(), credit.merchantId, credit);
    const ofBusiness = made.filter(one => one.credit.merchantId === credit.merchantId);
    const collected = ofBusiness.reduce((sum, one) => sum + one.credit.amount, 0);
    const many = ofBusiness.length;
    assert.deepEqual(
      { ...traces },
      {
        ...{ verdict: 'paid', orders: 1, signatures: 1, references: 1, chats: 0, collected },
        ...{ events: many, bodies: many, deliveries: many },
      },
    );
  }
});

test('among eight one is not clean and one fails, at once or at the commit: the others are paid, and each of these by itself', async () => {
  const { sql: plain } = world();
  const triggers = [
    'create trigger refuse_it before update on orders for each row',
    'create constraint trigger refuse_it after update on orders deferrable initially deferred for each row',
  ];
  await plain.unsafe(`create table poisoned (order_id text);
    create function refuse_it() returns trigger language plpgsql as $$
    begin
      if exists (select from poisoned where order_id = new.order_id) then raise exception 'poisoned'; end if;
      return new;
    end $$`);
  for (const trigger of triggers) {
    const made = await payables(shop, 7, 2);
    const [first, failing] = made;
    shop.business = { ...shop.business, merchantId: first!.credit.merchantId };
    // A copy of the first mail, for which the order is open still when it looks.
    const { alertId: _, ...copied } = first!.credit;
    const credits = [...made.map(({ credit }) => credit), await shop.credit(copied)];
    await plain`insert into poisoned values (${failing!.orderId})`;
    await plain.unsafe(`${trigger} execute function refuse_it()`);
    const sql = paidTogether(plain, 8);
    const ended = await Promise.allSettled(
      credits.map(credit => confirmPayment({ ...world(), sql }, credit)),
    );
    await plain.unsafe('drop trigger refuse_it on orders');
    assert.equal(sql.sent[0], 'pay_several');
    const said = ended.map(one =>
      one.status === 'fulfilled' ? one.value.outcome : String(one.reason.message),
    );
    assert.deepEqual(said.slice(1, 7), ['poisoned', 'paid', 'paid', 'paid', 'paid', 'paid']);
    assert.deepEqual([said[0], said[7]].sort(), ['duplicate', 'paid']);
    assert.equal((await shop.confirm(failing!.credit)).outcome, 'paid');
    const orders = plain(made.map(({ orderId }) => orderId));
    const rows = await plain`select from orders o join events e using (merchant_id, order_id)
      where o.status = 'paid' and e.type = 'payment.paid' and o.order_id in ${orders}`;
    assert.equal(rows.length, 7);
  }
});

test('an order in somebody’s hands keeps the seven others waiting for nothing, and is paid once it is let go of', async () => {
  const made = await payables(shop, 8, 1);
  const { sql: plain } = world();
  const sql = paidTogether(plain, 8);
  let seven: unknown[] = [];
  let paying: Promise<unknown>[] = [];
  await plain.begin(async tx => {
    await tx`select from orders where order_id = ${made[0]!.orderId} for update`;
    paying = made.map(({ credit }) => payAtOnce({ ...world(), sql }, credit));
    seven = await Promise.all(paying.slice(1));
  });
  assert.deepEqual(
    [await paying[0], ...seven],
    made.map(({ orderId }) => ({ outcome: 'paid', orderId })),
  );
  assert.deepEqual(sql.sent, ['pay_several', 'pay_at_once']);
});
