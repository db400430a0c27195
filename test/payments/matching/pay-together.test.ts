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

test('among eight one is not clean, one fails and one cannot be written down: the others are paid, and each of these by itself', async () => {
  const made = await payables(shop, 8, 2);
  const [unclean, failing, unwritable] = made.map(one => one);
  const { sql: plain } = world();
  const twin = { ...unclean!.credit, alertId: (await shop.credit(unclean!.credit)).alertId };
  await plain.unsafe(`create function refuse_it() returns trigger language plpgsql as $$
    begin if new.order_id = '${failing!.orderId}' then raise exception 'poisoned'; end if; return new; end $$;
    create trigger refuse_it before update on orders for each row execute function refuse_it()`);
  const credits = made.map(({ credit }) =>
    credit === unwritable!.credit ? { ...credit, payer: 'A\u0000B' } : credit,
  );
  for (const round of ['unwritable', 'failing'] as const) {
    const some =
      round === 'unwritable' ? credits.slice(2, 6) : [twin, ...credits.slice(0, 2), ...credits.slice(6)];
    const sql = paidTogether(plain, some.length);
    const ended = await Promise.allSettled(some.map(credit => confirmPayment({ ...world(), sql }, credit)));
    for (const [place, one] of ended.entries()) {
      const { alertId } = some[place]!;
      if (alertId === unwritable!.credit.alertId)
        assert.match(String(one.status === 'rejected' && one.reason), /\\u0000/);
      else if (alertId === failing!.credit.alertId)
        assert.match(String(one.status === 'rejected' && one.reason), /poisoned/);
      else assert.equal(one.status, 'fulfilled');
    }
    assert.equal(sql.sent[0], 'pay_several');
  }
  await plain.unsafe('drop trigger refuse_it on orders');
  for (const { credit } of made) assert.match((await shop.confirm(credit)).outcome, /^(?:paid|duplicate)$/);
  const rows = await plain`select o.order_id from orders o join events e using (merchant_id, order_id)
    where o.status = 'paid' and e.type = 'payment.paid' and o.order_id in ${plain(made.map(({ orderId }) => orderId))}`;
  assert.equal(rows.length, 8);
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
