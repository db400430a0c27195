/** Why a person's decision about money cannot stand, worded in `texts/`. */
const reviewRefusals = [
  /** No mail of this business with this id, or one whose bytes are no longer kept. */
  'unknown_credit',
  /** Not a credit that passed every gate (R16). */
  'not_genuine',
  /** It belongs to an order, has ended, or counts for another business. */
  'credit_taken',
  /** R2: another mail with its signature or its reference has counted. */
  'counted_before',
  /** R2: another credit may be this very one, and nobody has said yet that they are two. */
  'maybe_counted',
  'unknown_order',
  'order_paid',
  'order_waits_for_another',
  /** R13: the mail cannot be about the UPI account of this order. */
  'other_account',
  /** Of a mail that a person reads: a figure that is not among those offered, or that was offered before. */
  'not_offered',
] as const;

export type ReviewRefusal = { refusal: (typeof reviewRefusals)[number] };

export function refuse(refusal: ReviewRefusal['refusal']): ReviewRefusal {
  return { refusal };
}
