import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { dyingConnection } from '../../../drills/model/dying-connection.ts';
import { hour, later, minute } from '../../../src/base/clock.ts';
import { paise } from '../../../src/base/money.ts';
import { confirmPayment } from '../../../src/payments/matching/confirm-payment.ts';
import type { Credit } from '../../../src/payments/matching/credit.ts';
import { payAtOnce } from '../../../src/payments/matching/pay-at-once.ts';
import { betweenLookAndPay, paidTraces, tableSays } from '../../support/between-look-and-pay.ts';
import { payableOf, storedCredit } from '../../support/credit.ts';
import { reviewShop } from '../../support/review-shop.ts';
import { addTestMerchant } from '../../support/test-world.ts';

const shop = reviewShop();
const { order, statusOf, stateOf, claim, accept, attach } = shop;
const world = () => shop.api.world;
const run = (text: string) => world().sql.unsafe(text);
const of = () => `where merchant_id = ${shop.business.merchantId}`;

/** A run is repeatable from its seed. */
function randomFrom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state * 1664525 + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
}

type Scene = { credit: Credit; orderId: string; otherId: string };

/** What may be so, or become so, about an order and its exact credit. `touches`: its order's or its account's row. */
const happenings: Record<string, { touches: boolean; happen(scene: Scene): Promise<unknown> }> = {
  'another claims': still(({ credit, otherId }) => claim(otherId, credit.reference!)),
  'they claim': touching(({ credit, orderId }) => claim(orderId, credit.reference!)),
  'signature here': still(({ credit }) => count(shop.business.merchantId, credit, false)),
  'signature settled elsewhere': still(({ credit }) => count(0, credit, true)),
  'signature waits elsewhere': still(({ credit }) => count(0, credit, false)),
  'reference here': still(
    ({ credit }) => world()
      .sql`insert into counted_references (merchant_id, bank_reference, alert_id, counted_at)
      values (${credit.merchantId}, counted_reference(${credit.reference}), 'a', now()) on conflict do nothing`,
  ),
  'reference elsewhere': still(async ({ credit }) => {
    const there = await addTestMerchant(world());
    const created = (await shop.api.create({ amount: 321 }, there.apiKey)).json();
    await shop.confirm(
      await storedCredit(world(), there.merchantId, {
        amount: payableOf(created),
        reference: credit.reference,
        alertTime: world().clock.now(),
      }),
    );
  }),
  'trial passed': still(() => trial(3)),
  'trial under way': still(() => trial(2)),
  'ceiling below': touching(({ credit }) =>
    run(`update upi_accounts set review_above_paise = ${credit.amount - 1} ${of()}`),
  ),
  'ceiling at it': touching(({ credit }) =>
    run(`update upi_accounts set review_above_paise = ${credit.amount} ${of()}`),
  ),
  'another bank': touching(() => run(`update upi_accounts set bank = 'sbi' ${of()}`)),
  'other digits': touching(() => run(`update upi_accounts set account_digits = '9991' ${of()}`)),
  'fewer digits': touching(() => run(`update upi_accounts set account_digits = '321' ${of()}`)),
  'no bank': touching(() => run(`update upi_accounts set bank = null ${of()}`)),
  'fresh only': still(() => run(`update merchants set fresh_only = true ${of()}`)),
  'seen, amount in doubt': touching(async ({ orderId }) => {
    await run(`update orders set seen_at = created_at where order_id = '${orderId}'`);
    await run(
      `update amounts set doubted_until = 'infinity', clear_at = 'infinity' where order_id = '${orderId}'`,
    );
  }),
  'paid by another': touching(async ({ credit }) =>
    shop.confirm(await shop.credit({ amount: credit.amount, alertTime: world().clock.now() })),
  ),
  'waits with a slip': touching(async ({ orderId }) =>
    attach(await shop.stray({ amount: paise(777_77), alertTime: world().clock.now() }), orderId),
  ),
  declined: touching(({ orderId }) =>
    run(`update orders set status = 'failed' where order_id = '${orderId}' and status = 'pending'`),
  ),
  'was here before': still(({ credit }) =>
    run(`update alerts set arrival_number = 1 where alert_id = '${credit.alertId}'`),
  ),
};

function still(happen: (scene: Scene) => Promise<unknown>) {
  return { touches: false, happen };
}
function touching(happen: (scene: Scene) => Promise<unknown>) {
  return { touches: true, happen };
}
const trial = (payments: number) =>
  run(`insert into template_payments values (${shop.business.merchantId}, 'hdfc', 'test', ${payments})
    on conflict (merchant_id, bank, template) do update set payments = excluded.payments`);
const count = async (merchantId: number, { signatureIds }: Credit, settled: boolean) =>
  await world().sql`insert into counted_signatures (signature_id, merchant_id, alert_id, counted_at, settled)
    values (${signatureIds[0]!}, ${merchantId}, 'a', now(), ${settled}) on conflict do nothing`;

/** What a credit itself may be like; most of the time like any other. */
function credits(random: () => number): Partial<Credit> {
  const now = world().clock.now();
  const pick = <T>(usual: T, ...odd: T[]) =>
    random() < 0.9 ? usual : odd[Math.floor(random() * odd.length)]!;
  const tail = String(Math.floor(random() * 1e8)).padStart(8, '0');
  return {
    alertTime: pick(
      now,
      later(now, -minute),
      later(now, -minute - 1),
      later(now, 14 * minute),
      later(now, 15 * minute + 1),
      later(now, hour),
    ),
    trust: pick('confirmed', 'trial', 'trial', 'review_only'),
    bank: pick('hdfc', 'hdfc', 'sbi'),
    accountDigits: pick('4321', '21', null, '1234', '004321'),
    payeeVpa: pick(null, 'other@okaxis'),
    // The clock stands at 15 November 2026, the 319th day: 6318 names the day before it.
    reference: pick(
      `69${tail}00`,
      `6318${tail}`,
      `6684${tail}`,
      `0006318${tail}`,
      `6315${tail}`,
      `6319${tail}`,
      null,
    ),
  };
}

describe('over many generated cases', () => {
  for (const [when, seed] of [
    ['before the look', 41],
    ['between the look and the function', 42],
  ] as const)
    test(`what happens ${when}: the function pays exactly when the table says row 3, clean`, async () => {
      const random = randomFrom(seed);
      const seen = { paid: 0, not: 0, careful: 0 };
      for (let round = 0; round < 260; round++) {
        shop.business = await addTestMerchant(world());
        const [created, other] = [await order({ amount: 500 }), await order({ amount: 900 })];
        const change = credits(random);
        const credit = await shop.credit({ amount: payableOf(created), ...change });
        const scene = { credit, orderId: created.order_id, otherId: other.order_id };
        const chosen = Object.entries(happenings).filter(
          ([name]) => random() < 0.05 && !(/claim|^reference/.test(name) && credit.reference === null),
        );
        const happen = async () => {
          for (const [, { happen }] of chosen) await happen(scene);
        };
        const name = `round ${round}: ${chosen.map(([one]) => one)} ${JSON.stringify(change)}`;
        const isBefore = when === 'before the look';
        if (isBefore) await happen();
        let happened = isBefore;
        const sql = betweenLookAndPay(world().sql, async () => {
          if (!happened) await happen();
          happened = true;
          decision = await tableSays(world(), credit);
        });
        let decision = await tableSays(world(), credit);
        const paid = await payAtOnce({ ...world(), sql }, credit);
        const isClean = decision.row === 3 && decision.outcome === 'paid';
        const mayBeStricter = !isBefore && chosen.some(([, { touches }]) => touches);
        if (paid)
          assert.ok(isClean, `paid, and the table says row ${decision.row} ${decision.outcome}: ${name}`);
        else if (!mayBeStricter && (happened || isBefore))
          assert.ok(!isClean, `not paid, and the table says so: ${name}`);
        if (!happened) await happen();
        seen[paid ? 'paid' : isClean ? 'careful' : 'not']++;
        if (!paid) {
          assert.equal((await paidTraces(world(), credit.merchantId, credit))['verdict'], 'unjudged', name);
          const table = await tableSays(world(), credit);
          assert.equal((await shop.confirm(credit)).outcome, table.outcome, name);
        }
        // What was paid before an account changed was paid rightly.
        await run(`update upi_accounts set bank_named_at = 'infinity' ${of()}`);
      }
      assert.ok(seen.paid > 40 && seen.not > 40, JSON.stringify(seen));
    });
});

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

  test('at every line that writes, and at the commit: nothing is left, and judged again it is paid once', async () => {
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
      shop.business = await addTestMerchant(world());
      const created = await order({ amount: 500 });
      const credit = await shop.credit({ amount: payableOf(created) });
      const before = await paidTraces(world(), credit.merchantId, credit);
      await run(death);
      await assert.rejects(payAtOnce(world(), credit), death);
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

  test('before the look, before the function, before its commit, after it: paid once in the end', async () => {
    for (const point of [0, 1, 'before commit', 'after commit'] as const) {
      shop.business = await addTestMerchant(world());
      const created = await order({ amount: 500 });
      const credit = await shop.credit({ amount: payableOf(created) });
      await assert.rejects(confirmPayment({ ...world(), sql: dyingConnection(world().sql, point) }, credit));
      assert.equal(await statusOf(created.order_id), point === 'after commit' ? 'paid' : 'pending');
      assert.equal((await shop.confirm(credit)).outcome, 'paid');
      assert.equal(await shop.collected(), payableOf(created));
    }
  });

  test('while it waits for any of its locks: nothing is left', async () => {
    const locks: Record<string, (credit: Credit, orderId: string) => string> = {
      reference: ({ merchantId, reference }) => `select lock_reference(${merchantId}, '${reference}')`,
      alert: ({ alertId }) => `select from alerts where alert_id = '${alertId}' for update`,
      signature: ({ signatureIds }) =>
        `insert into counted_signatures (signature_id, merchant_id, alert_id, counted_at) values ('${signatureIds[0]}', 0, 'a', now())`,
      order: (_, orderId) => `select from orders where order_id = '${orderId}' for update`,
      amount: (_, orderId) => `select from amounts where order_id = '${orderId}' for update`,
    };
    for (const [name, lock] of Object.entries(locks)) {
      shop.business = await addTestMerchant(world());
      const created = await order({ amount: 500 });
      const credit = await shop.credit({ amount: payableOf(created) });
      const before = await paidTraces(world(), credit.merchantId, credit);
      const waiting = world().sql.begin(async tx => {
        await tx.unsafe(lock(credit, created.order_id));
        const paying = assert.rejects(payAtOnce(world(), credit), name);
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
        .sql`select from events where merchant_id = ${shop.business.merchantId} and type = 'payment.paid'`
    ).length;

  test('150 races of four judges over one credit and its copies for one order: each order is paid once', async () => {
    for (let race = 0; race < 150; race++) {
      shop.business = await addTestMerchant(world());
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

  test('a person accepts other money while the exact mail is judged: one of them pays', async () => {
    const won = { person: 0, mail: 0 };
    for (let race = 0; race < 60; race++) {
      shop.business = await addTestMerchant(world());
      const created = await order({ amount: 500 });
      const stray = await shop.stray({ amount: paise(444_44) });
      if (race % 2) await attach(stray, created.order_id);
      const exact = await shop.credit({ amount: payableOf(created) });
      const deeds = [() => accept(stray, created.order_id), () => shop.confirm(exact)] as const;
      const [refusal, { outcome }] = (
        race % 4 < 2
          ? await Promise.all([deeds[0](), deeds[1]()])
          : (await Promise.all([deeds[1](), deeds[0]()])).reverse()
      ) as [string | null, { outcome: string }];
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

  test('another customer types the reference while the exact mail is judged: paid before the claim, or waiting', async () => {
    const ended: Record<string, number> = {};
    for (let race = 0; race < 100; race++) {
      shop.business = await addTestMerchant(world());
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
