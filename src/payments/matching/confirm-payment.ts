import type { Transaction } from '../../base/database/connect.ts';
import { rupees } from '../../base/money.ts';
import type { World } from '../../base/world.ts';
import { recordUnmatchedEvent } from '../../outbox/webhooks/record-event.ts';
import { creditVerdicts } from '../../texts/verdicts.ts';
import { attachCredit, notifyUnmatched } from './attach-credit.ts';
import { settleCredit } from './count-credit.ts';
import type { Confirmation, Credit } from './credit.ts';
import { type Decision, decideCredit } from './decide-credit.ts';
import { eraseCopy, keyIsNeeded, learnErasureKey, withErasureHash } from './erased-references.ts';
import { payOrder, settleClean } from './pay-order.ts';
import { countOrderless } from './queries/orderless.ts';
import { lockAlert, storeVerdict } from './queries/payments.ts';
import { lockReference } from './queries/typed-references.ts';

/**
 * Finds the order of a genuine credit. A clean payment is settled at once (`settleClean`), and anything else by the
 * table. That takes one transaction: it counts the alert's signature and reference, and the table decides
 * (`decide-credit.ts`). The order is paid (`pay-order.ts`), or the money counts without an order, or waits for a
 * person. The verdict is stored with its facts (R1), and the judge's lease ends. A second call for the same alert
 * changes nothing, because two judges may work on it.
 */
export async function confirmPayment(
  world: Pick<World, 'sql' | 'clock' | 'baseUrl' | 'secrets'>,
  credit: Credit,
  bankName: (id: string) => string = id => id,
): Promise<Confirmation> {
  const decide = async (hashed: Credit) =>
    (await settleClean(world, hashed)) ?? (await settleByTable(world, hashed, bankName));
  try {
    return await decide(withErasureHash(world, credit));
  } catch (error) {
    if ((error as { code?: string }).code !== keyIsNeeded) throw error;
    await learnErasureKey(world.sql, world);
    return await decide(withErasureHash(world, credit));
  }
}

async function settleByTable(
  world: Pick<World, 'sql' | 'clock' | 'baseUrl'>,
  credit: Credit,
  bankName: (id: string) => string,
): Promise<Confirmation> {
  return await world.sql.begin(async tx => {
    const now = world.clock.now();
    // The first lock of all. A customer who types this reference takes it too, so one of us sees the other.
    if (credit.reference !== null) await lockReference(tx, credit.merchantId, credit.reference);
    const alert = await lockAlert(tx, credit);
    if (alert.decided) return alert.decided;
    const decision = await decideCredit(tx, credit, now, bankName);
    const { outcome, orderId, pays, takenBy } = decision;
    if (pays) {
      const settled = await settleCredit(tx, credit, now);
      if (!settled) throw new Error(`alert ${credit.alertId} has settled something in another business`);
      await payOrder(tx, world, settled, credit, pays, now);
    }
    await storeVerdict(tx, credit, decision, now);
    if (outcome === 'duplicate') await eraseCopy(tx, credit);
    if (takenBy !== undefined) {
      await countOrderless(tx, credit, takenBy, now);
      return { outcome, orderId };
    }
    // Money without an order was reported at the first check. Now it may be exactly what an order waits for.
    const isNews = !alert.was_unmatched || decision.waits?.foundBy === 'exact';
    if (isNews && creditVerdicts.some(one => one === outcome))
      await attachOrReport(tx, world, credit, decision, now);
    return { outcome, orderId };
  });
}

/** Holds money that paid nothing. It waits with the order that the table named, or is reported without an order. */
async function attachOrReport(
  tx: Transaction,
  world: Pick<World, 'baseUrl'>,
  credit: Credit,
  { outcome, orderId, waits }: Decision,
  now: Date,
): Promise<void> {
  const { merchantId, alertId } = credit;
  if (waits) {
    const refusal = await attachCredit(tx, world, { merchantId, alertId, ...waits, by: 'milaan', now });
    if (refusal === null) return;
  }
  await recordUnmatchedEvent(tx, {
    merchantId,
    credit: {
      credit_id: alertId,
      amount: rupees(credit.amount),
      bank_reference: credit.reference,
      payer: credit.payer,
      paid_at: credit.alertTime.toISOString(),
      reason: outcome as (typeof creditVerdicts)[number],
      order_id: orderId,
    },
    now,
  });
  await notifyUnmatched(tx, credit, now);
}
