import type { PaymentLink } from './queries.ts';

export type LinkState = 'open' | 'ended' | 'sold_out' | 'withdrawn';
/** Of one whose shop the operator halted nothing else matters. */
export type ShownState = LinkState | 'halted';

/** Whether a link can be paid at this moment. "Sold" counts what is paid and what somebody is just now paying. */
export function linkState(
  { withdrawn_at, ends_at, stock, sold }: Pick<PaymentLink, 'withdrawn_at' | 'ends_at' | 'stock' | 'sold'>,
  now: Date,
): LinkState {
  if (withdrawn_at !== null) return 'withdrawn';
  if (ends_at !== null && ends_at <= now) return 'ended';
  return stock !== null && sold >= stock ? 'sold_out' : 'open';
}
