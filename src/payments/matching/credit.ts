import type { Paise } from '../../base/money.ts';
import type { Reason } from '../../texts/verdicts.ts';
import type { AlertFacts } from './alert-facts.ts';
import type { AccountDoubt } from './doubt-about-account.ts';
import type { SlipKind } from './plain-slip.ts';
/** A mail that has passed every gate: a genuine credit to this business. What is left is to find its order. */
export type Credit = AlertFacts & {
  merchantId: number;
  alertId: string;
  bank: string;
  amount: Paise;
  /** The bank's clock: it chooses the order, however late the mail is found. */
  alertTime: Date;
};

export type Confirmation =
  | { outcome: 'paid'; orderId: string }
  | { outcome: 'extra_payment'; orderId: string }
  | { outcome: 'too_late'; orderId: string }
  | { outcome: 'wrong_account'; orderId: string | null; why: WrongAccount }
  /** `orderId`: it asked for exactly this, and a person declined it. */
  | { outcome: 'no_order'; nearMisses: NearMiss[]; orderId?: string }
  | { outcome: 'duplicate'; counted: Reason };

/** `bank`: the bank of the account that the money should have gone to, if it names one. */
export type WrongAccount = { doubt: AccountDoubt; bank: string | null };

export type NearMiss = { order_id: string; payable_paise: Paise; slip: SlipKind | null };

/** The credit that pays: its amount is what was received. */
export type Payment = { merchantId: number; alertId: string; amount: Paise; reference: string | null };
