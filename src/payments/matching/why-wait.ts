import type { Transaction } from '../../base/database/connect.ts';
import { because, type Reason } from '../../texts/verdicts.ts';
import type { Credit } from './credit.ts';
import type { Holder } from './queries/payments.ts';
import { paymentsOfATrial, selectPaymentsBy } from './queries/trials.ts';

/** Gates that ask whether the money came at all: one tap answers them. */
export const trustGates = ['waits_review_only', 'waits_trial', 'waits_ceiling'] as const;
type TrustGate = (typeof trustGates)[number];

/**
 * The gates of row 3: why an exact credit in time does not pay its order by itself and waits for a person; null when it
 * pays. Asked in the transaction that pays, behind the locks of alert and order. Whose money it is is asked before
 * whether it came.
 */
export async function whyWait(tx: Transaction, credit: Credit, holder: Holder): Promise<Reason | null> {
  const order = holder.order_id;
  if (holder.of_earlier_day) return because('earlier_day', { order });
  if (holder.is_stale) return because('not_fresh', { order });
  const gate = await trustGate(tx, credit, holder);
  return gate === null ? null : because(gate, { order });
}

/** The payments of a trial only ever grow: whoever reads an old number waits once too often, and never too seldom. */
async function trustGate(tx: Transaction, credit: Credit, holder: Holder): Promise<TrustGate | null> {
  if (credit.trust === 'review_only') return 'waits_review_only';
  if (credit.trust === 'trial' && (await selectPaymentsBy(tx, credit)) < paymentsOfATrial)
    return 'waits_trial';
  const { review_above_paise: ceiling } = holder;
  return ceiling !== null && credit.amount > ceiling ? 'waits_ceiling' : null;
}
