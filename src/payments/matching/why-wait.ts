/** Gates that ask whether the money came at all: one tap answers them. */
export const trustGates = [
  'waits_review_only',
  'waits_trial',
  'waits_ceiling',
  'waits_two_cells',
  'waits_shared_account',
] as const;

/**
 * Why an exact credit in time does not pay the order that holds its amount, as `credit_holder` says:
 * row 4 of the table, row 2, and the gates of row 3, where it waits for a person.
 */
export type Gate = 'paid_already' | Unclear | 'earlier_day' | 'not_fresh' | (typeof trustGates)[number];
type Unclear = 'contested' | 'maybe_counted';
