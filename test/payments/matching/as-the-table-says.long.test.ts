import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { hour, later, minute } from '../../../src/base/clock.ts';
import { paise } from '../../../src/base/money.ts';
import type { Credit } from '../../../src/payments/matching/credit.ts';
import { settleClean } from '../../../src/payments/matching/pay-order.ts';
import { betweenLookAndPay, paidTraces, tableSays } from '../../support/between-look-and-pay.ts';
import { payableOf, storedCredit } from '../../support/credit.ts';
import { reviewShop } from '../../support/review-shop.ts';
import { addTestMerchant } from '../../support/test-world.ts';

const shop = reviewShop();
const { order, claim, attach } = shop;
const world = () => shop.api.world;
const run = (text: string) => world().sql.unsafe(text);
const of = () => `where merchant_id = ${shop.merchant.merchantId}`;

/** A run is repeatable from its seed. */
function randomFrom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state * 1664525 + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
}

type Scene = { credit: Credit; orderId: string; otherId: string };

/** The possible states and changes of an order and its exact credit. `touches`: its order's or its account's row. */
const happenings: Record<string, { touches: boolean; happen(scene: Scene): Promise<unknown> }> = {
  'another claims': still(({ credit, otherId }) => claim(otherId, credit.reference!)),
  'they claim': touching(({ credit, orderId }) => claim(orderId, credit.reference!)),
  'signature here': still(({ credit }) => count(shop.merchant.merchantId, credit, false)),
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
  run(`insert into template_payments values (${shop.merchant.merchantId}, 'hdfc', 'test', ${payments})
    on conflict (merchant_id, bank, template) do update set payments = excluded.payments`);
const count = async (merchantId: number, { signatureIds }: Credit, settled: boolean) =>
  await world().sql`insert into counted_signatures (signature_id, merchant_id, alert_id, counted_at, settled)
    values (${signatureIds[0]!}, ${merchantId}, 'a', now(), ${settled}) on conflict do nothing`;

/** The possible kinds of a credit; most are ordinary. */
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
    // The clock is at 15 November 2026, the 319th day: 6318 names the previous day.
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
    test(`${when}: the function pays exactly if the table says row 3, clean`, async () => {
      const random = randomFrom(seed);
      const seen = { paid: 0, not: 0, careful: 0 };
      for (let round = 0; round < 260; round++) {
        shop.merchant = await addTestMerchant(world());
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
        const paid = await settleClean({ ...world(), sql }, credit);
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
        // Payments from before the account's change stay valid, so date the change after them.
        await run(`update upi_accounts set bank_named_at = 'infinity' ${of()}`);
      }
      assert.ok(seen.paid > 40 && seen.not > 40, JSON.stringify(seen));
    });
});
