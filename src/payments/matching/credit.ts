import type { Paise } from '../../base/money.ts';
import type { Trust } from '../../texts/verdicts.ts';
import type { AlertFacts } from './alert-facts.ts';
import type { SlipKind } from './plain-slip.ts';
/** A mail that has passed every gate: a genuine credit to this business. What is left is to find its order. */
export type Credit = AlertFacts & {
  merchantId: number;
  alertId: string;
  bank: string;
  amount: Paise;
  trust: Trust;
  /** What its reference would be known by, had it been erased; where anything was (`erased-references.ts`). */
  mark?: string;
  /** The bank signed its mail to a business of another cell too, or a cell that could not be asked may have one (R2). */
  twoCells?: boolean;
  /** The bank's clock: it chooses the order, however late the mail is found. */
  alertTime: Date;
};

/** What became of it, and the order that it is about. */
export type Confirmation = {
  outcome: 'paid' | 'extra_payment' | 'too_late' | 'wrong_account' | 'no_order' | 'duplicate';
  orderId: string | null;
};

export type NearMiss = { order_id: string; payable_paise: Paise; slip: SlipKind | null };

/** The credit that pays: its amount is what was received. */
export type Payment = { merchantId: number; alertId: string; amount: Paise; reference: string | null };
