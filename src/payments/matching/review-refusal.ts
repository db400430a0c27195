/** Why a person's decision about money is refused; `texts/` has the sentences. */
const reviewRefusals = [
  /** This business has no such mail, or its bytes are no longer kept. */
  'unknown_credit',
  /** Not a credit that passed every gate (R16). */
  'not_genuine',
  /** It belongs to an order, has ended, or counts for another business. */
  'credit_taken',
  /** R2: another mail with its signature or its reference has counted. */
  'counted_before',
  /** R2: another credit may be the same payment, and nobody has said yet that they are two. */
  'maybe_counted',
  'unknown_order',
  'order_paid',
  'order_waits_for_another',
  /** R13: the mail cannot be about this order's UPI account. */
  'other_account',
  /** One tap is not enough: a difference of three rupees, the owner's limit, or another question. */
  'not_one_tap',
  /** For a mail that a person reads: the figure is not among those offered, or was offered before. */
  'not_offered',
  /** More than the order received, together with what was given back before. */
  'more_than_received',
  'given_meanwhile',
  /** An undo of a step that is no longer the last one. */
  'changed_since',
  'undo_over',
] as const;

export type ReviewRefusal = { refusal: (typeof reviewRefusals)[number] };

export function refuse(refusal: ReviewRefusal['refusal']): ReviewRefusal {
  return { refusal };
}
