import { after, before } from 'node:test';
import { randomDigits } from '../../src/base/random.ts';
import type { World } from '../../src/base/world.ts';
import { confirmPayment } from '../../src/payments/matching/confirm-payment.ts';
import type { Credit } from '../../src/payments/matching/credit.ts';
import { acceptCredit, endCredit, reopenCredit } from '../../src/payments/review/decide-by-hand.ts';
import { addTestOrder } from './checkout-site.ts';
import { storedCredit } from './credit.ts';
import { addTestMerchant } from './test-world.ts';
import { openTwoCells, type TwoCells } from './two-cells.ts';

/** One payment that is reported to a business in each of two cells. Both have one account, like an owner of two shops. */
export function twoCellsStage() {
  let cells: TwoCells;
  let orders = 0;
  before(async () => {
    cells = await openTwoCells();
  });
  after(() => cells.stop());

  const side = async (cell: number) => {
    const world = cells.worlds[cell]!;
    const { sql, clock } = world;
    const shop = await addTestMerchant(world, { merchantId: cells.idIn(cell) });
    const { merchantId } = shop;
    const who = () => ({ merchantId, actor: 'owner@shop.example', address: '', now: clock.now() });
    return {
      world,
      shop,
      merchantId,
      who,
      order: async (payable: number) =>
        (await addTestOrder(world, shop, { payable, merchantOrderId: `basket-${++orders}` })).orderId,
      mail: (change: Partial<Credit> & { amount: Credit['amount'] }) =>
        storedCredit(world, merchantId, change),
      confirm: (credit: Credit, on: World = world) => confirmPayment(on, credit),
      accept: async (alertId: string, orderId: string, on: World = world) =>
        (await on.sql.begin(tx => acceptCredit(tx, on, who(), { alertId, orderId, note: '' })))?.refusal ??
        null,
      keep: async (alertId: string) =>
        (
          await world.sql.begin(tx =>
            endCredit(tx, who(), { alertId, end: 'kept', returnReference: null, note: '' }),
          )
        )?.refusal ?? null,
      reopen: (alertId: string) => world.sql.begin(tx => reopenCredit(tx, who(), { alertId })),
      verdictOf: async ({ alertId }: Credit) => {
        const [row] = await sql`select verdict, reason_code from alerts where alert_id = ${alertId}`;
        return [row!['verdict'], row!['reason_code']];
      },
    };
  };
  return {
    get cells() {
      return cells;
    },
    side,
    sides: async () => [await side(0), await side(1)] as const,
    /** The facts that all mails about one payment share. */
    halves: {
      signature: () => ({ signatureIds: [`sig-${randomDigits(12)}`], reference: null }),
      reference: () => ({ reference: `69${randomDigits(10)}` }),
      both: () => ({ signatureIds: [`sig-${randomDigits(12)}`], reference: `69${randomDigits(10)}` }),
    },
    async paidWith(amount: number): Promise<number> {
      const counts = await Promise.all(
        cells.worlds.map(
          ({ sql }) =>
            sql`select count(*)::int as n from orders where payable_paise = ${amount} and status = 'paid'`,
        ),
      );
      return counts.reduce((sum, [row]) => sum + row!['n'], 0);
    },
  };
}
