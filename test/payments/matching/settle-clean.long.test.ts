import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import { paise } from '../../../src/base/money.ts';
import { confirmPayment } from '../../../src/payments/matching/confirm-payment.ts';
import type { Credit } from '../../../src/payments/matching/credit.ts';
import { settleClean } from '../../../src/payments/matching/pay-order.ts';
import { paidTraces } from '../../support/between-look-and-pay.ts';
import { payableOf } from '../../support/credit.ts';
import { dyingConnection } from '../../support/model/dying-connection.ts';
import { reviewShop } from '../../support/review-shop.ts';
import { addTestMerchant } from '../../support/test-world.ts';

const shop = reviewShop();
const { order, statusOf, stateOf, claim, accept, attach } = shop;
const world = () => shop.api.world;
const run = (text: string) => world().sql.unsafe(text);

describe('the program or the database dies', () => {
  /** Every table that a payment writes, in its order, before and after the row. */
  const tables = [
    'counted_signatures',
    'counted_references',
    'orders',
    'amounts',
    'collections',
    'events',
    'delivery_queue',
    'event_bodies',
    'alerts',
  ];
  const moments = tables.flatMap(table => [
    `before insert or update on ${table}`,
    `after insert or update on ${table}`,
  ]);

  test('a death at every line that writes, and at the commit, leaves nothing, and the mail is paid once afterwards', async () => {
    await run(`create function die() returns trigger language plpgsql as $$
      begin perform pg_terminate_backend(pg_backend_pid()); return new; end $$`);
    const deaths = [
      ...moments.map(moment => `create trigger die ${moment} for each row execute function die()`),
      ...['alerts', 'delivery_queue', 'orders'].map(
        table => `create constraint trigger die after insert or update on ${table} deferrable initially deferred
          for each row execute function die()`,
      ),
    ];
    for (const death of deaths) {
      shop.merchant = await addTestMerchant(world());
      const created = await order({ amount: 500 });
      const credit = await shop.credit({ amount: payableOf(created) });
      const before = await paidTraces(world(), credit.merchantId, credit);
      await run(death);
      await assert.rejects(settleClean(world(), credit), death);
      const drop = () => run(`drop trigger if exists die on ${/ on (\w+)/.exec(death)![1]}`);
      // The pool learns a moment later that this connection is dead.
      await drop().catch(drop);
      assert.deepEqual(await paidTraces(world(), credit.merchantId, credit), before, death);
      assert.equal(await statusOf(created.order_id), 'pending', death);
      assert.equal((await shop.confirm(credit)).outcome, 'paid', death);
      const { events, bodies, deliveries, collected } = await paidTraces(world(), credit.merchantId, credit);
      assert.deepEqual([events, bodies, deliveries, collected], [1, 1, 1, payableOf(created)], death);
    }
  });

  test('a death before the read, the function, its commit or afterwards: paid once in the end', async () => {
    for (const point of [0, 1, 'before commit', 'after commit'] as const) {
      shop.merchant = await addTestMerchant(world());
      const created = await order({ amount: 500 });
      const credit = await shop.credit({ amount: payableOf(created) });
      await assert.rejects(confirmPayment({ ...world(), sql: dyingConnection(world().sql, point) }, credit));
      assert.equal(await statusOf(created.order_id), point === 'after commit' ? 'paid' : 'pending');
      assert.equal((await shop.confirm(credit)).outcome, 'paid');
      assert.equal(await shop.collected(), payableOf(created));
    }
  });

  test('a death while waiting for any of its locks leaves nothing', async () => {
    const locks: Record<string, (credit: Credit, orderId: string) => string> = {
      reference: ({ merchantId, reference }) => `select lock_reference(${merchantId}, '${reference}')`,
      alert: ({ alertId }) => `select from alerts where alert_id = '${alertId}' for update`,
      signature: ({ signatureIds }) =>
        `insert into counted_signatures (signature_id, merchant_id, alert_id, counted_at) values ('${signatureIds[0]}', 0, 'a', now())`,
      order: (_, orderId) => `select from orders where order_id = '${orderId}' for update`,
      amount: (_, orderId) => `select from amounts where order_id = '${orderId}' for update`,
    };
    for (const [name, lock] of Object.entries(locks)) {
      shop.merchant = await addTestMerchant(world());
      const created = await order({ amount: 500 });
      const credit = await shop.credit({ amount: payableOf(created) });
      const before = await paidTraces(world(), credit.merchantId, credit);
      const waiting = world().sql.begin(async tx => {
        await tx.unsafe(lock(credit, created.order_id));
        const paying = assert.rejects(settleClean(world(), credit), name);
        for (let killed = 0; killed === 0; )
          killed = (
            await run(`select pg_terminate_backend(pid) from pg_stat_activity
            where query like '%pay_at_once%' and wait_event_type = 'Lock' and datname = current_database()`)
          ).length;
        await paying;
        await run('select 1').catch(() => {});
        throw new Error('undone');
      });
      await assert.rejects(waiting, /undone/);
      assert.deepEqual(await paidTraces(world(), credit.merchantId, credit), before, name);
      assert.equal((await shop.confirm(credit)).outcome, 'paid', name);
    }
  });
});

describe('at once', () => {
  const paidEvents = async () =>
    (
      await world()
        .sql`select from events where merchant_id = ${shop.merchant.merchantId} and type = 'payment.paid'`
    ).length;

  test('150 races of four judges over one credit and its copies pay each order once', async () => {
    for (let race = 0; race < 150; race++) {
      shop.merchant = await addTestMerchant(world());
      const created = await order({ amount: 100 + race });
      const amount = payableOf(created);
      const one = await shop.credit({ amount });
      const like = [{ signatureIds: one.signatureIds }, { reference: one.reference }, {}][race % 3]!;
      const twin = await shop.credit({ amount, ...like });
      const outcomes = (await Promise.all([one, one, twin, twin].map(credit => shop.confirm(credit))))
        .map(({ outcome }) => outcome)
        .sort();
      const loser = race % 3 === 2 ? 'extra_payment' : 'duplicate';
      assert.deepEqual(outcomes, [loser, loser, 'paid', 'paid'].sort(), `race ${race}`);
      assert.deepEqual([await paidEvents(), await shop.collected()], [1, amount], `race ${race}`);
    }
  });

  test('a person accepts other money while the exact mail is judged, and one of them pays', async () => {
    const won = { person: 0, mail: 0 };
    for (let race = 0; race < 60; race++) {
      shop.merchant = await addTestMerchant(world());
      const created = await order({ amount: 500 });
      const stray = await shop.stray({ amount: paise(444_44) });
      if (race % 2) await attach(stray, created.order_id);
      const exact = await shop.credit({ amount: payableOf(created) });
      // The mail pays by one query, the person by several: in most races the mail starts later.
      const later = setTimeout(2 ** (race % 8) - 1);
      const [refusal, { outcome }] = await Promise.all([
        accept(stray, created.order_id),
        later.then(() => shop.confirm(exact)),
      ]);
      assert.equal(
        Number(refusal === null) + Number(outcome === 'paid'),
        1,
        `${race}: ${refusal} ${outcome}`,
      );
      won[refusal === null ? 'person' : 'mail']++;
      assert.deepEqual(
        [await paidEvents(), await shop.collected(), await statusOf(created.order_id)],
        [1, refusal === null ? 444_44 : payableOf(created), 'paid'],
      );
    }
    assert.ok(won.person > 0 && won.mail > 0, JSON.stringify(won));
  });

  test('another customer enters the reference while the exact mail is judged: paid before the claim, or waiting', async () => {
    const ended: Record<string, number> = {};
    for (let race = 0; race < 100; race++) {
      shop.merchant = await addTestMerchant(world());
      const [b, a] = [await order({ amount: 500 }), await order({ amount: 900 })];
      const credit = await shop.credit({ amount: payableOf(b) });
      const claims = () => claim(a.order_id, credit.reference!);
      const copy = () => shop.confirm(credit);
      await Promise.all(race % 2 ? [claims(), copy(), copy()] : [copy(), claims(), copy()]);
      const [status, state] = [await statusOf(b.order_id), await stateOf(credit.alertId)];
      assert.ok(
        status === 'paid' ? state === null : status === 'manual_review' && state === 'attached',
        `${status} ${state}`,
      );
      assert.equal(await statusOf(a.order_id), 'pending');
      assert.deepEqual(
        [await paidEvents(), await shop.collected()],
        status === 'paid' ? [1, payableOf(b)] : [0, 0],
      );
      ended[status] = (ended[status] ?? 0) + 1;
    }
    assert.ok(Object.keys(ended).length === 2, JSON.stringify(ended));
  });
});
