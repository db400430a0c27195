import type { Transaction } from '../../base/database/connect.ts';
import { rupees } from '../../base/money.ts';
import type { World } from '../../base/world.ts';
import { recordUnmatchedEvent } from '../../outbox/webhooks/record-optional-event.ts';
import { type CreditVerdict, creditVerdicts } from '../../texts/verdicts.ts';
import { attachCredit } from './attach-credit.ts';
import type { Confirmation, Credit, NearMiss } from './credit.ts';
import { lockReference, selectClaimants } from './queries/claims.ts';
import type { FoundBy } from './queries/credits.ts';
import { holdsNearMisses } from './queries/payments.ts';
import { tellUnmatched } from './tell-of-money.ts';

/** What became of money that paid no order by itself. */
type Unpaid = Extract<Confirmation, { outcome: CreditVerdict }>;

export function isUnpaid(confirmation: Confirmation): confirmation is Unpaid {
  return creditVerdicts.some(one => one === confirmation.outcome);
}

/**
 * Genuine money that paid no order by itself, its verdict stored: it is attached to the order that asked for exactly
 * this and waits for a person (`gates.ts`), or to the one whose customer gave its reference or,
 * where the owner wants that, to the one order for which it is a plain slip. Nothing is paid by it. With several
 * candidates nothing moves, and a person looks.
 */
export async function holdForReview(
  tx: Transaction,
  world: Pick<World, 'baseUrl'>,
  credit: Credit,
  unpaid: Unpaid,
  now: Date,
): Promise<void> {
  const { merchantId, alertId } = credit;
  const home = waitsFor(unpaid) ?? (await claimedBy(tx, credit)) ?? (await meantFor(tx, credit, unpaid));
  if (home) {
    const refusal = await attachCredit(tx, world, { merchantId, alertId, ...home, by: 'milaan', now });
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
      reason: unpaid.outcome,
      order_id: 'orderId' in unpaid ? (unpaid.orderId ?? null) : null,
    },
    now,
  });
  await tellUnmatched(tx, credit, now);
}

type Home = { orderId: string; foundBy: FoundBy };

/** The order that asked for exactly this. It may wait for other money already: then a person finds this one in the list. */
function waitsFor(unpaid: Unpaid): Home | null {
  return unpaid.outcome === 'no_order' && unpaid.waits
    ? { orderId: unpaid.orderId, foundBy: 'amount' }
    : null;
}

async function claimedBy(tx: Transaction, { merchantId, reference }: Credit): Promise<Home | null> {
  if (reference === null) return null;
  // A customer who claims it at this moment looks for us behind the same lock: one of us sees the other.
  await lockReference(tx, merchantId, reference);
  const [orderId, another] = await selectClaimants(tx, merchantId, reference);
  return orderId === undefined || another !== undefined ? null : { orderId, foundBy: 'reference' };
}

/** The exact sum of an order that is over, or paid, may have been meant for that one; it is no slip. */
async function meantFor(tx: Transaction, { merchantId }: Credit, unpaid: Unpaid): Promise<Home | null> {
  const only = unpaid.outcome === 'no_order' ? onlySlip(unpaid.nearMisses) : null;
  if (only === null || !(await holdsNearMisses(tx, merchantId))) return null;
  return { orderId: only.order_id, foundBy: 'slip' };
}

function onlySlip(nearMisses: readonly NearMiss[]): NearMiss | null {
  const [only, ...more] = nearMisses.filter(({ slip }) => slip !== null);
  return only !== undefined && more.length === 0 ? only : null;
}
