import type { Queryable } from '../../base/database/connect.ts';
import type { Paise } from '../../base/money.ts';
import type { Trust } from '../../texts/verdicts.ts';

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

export type NearMiss = { order_id: string; payable_paise: Paise; slip: NearMissKind | null };

/** The credit that pays: its amount is what was received. */
export type Payment = { merchantId: number; alertId: string; amount: Paise; reference: string | null };

/** What an alert says and who signed it, as its row keeps it; null where a gate was not reached or the mail is silent. */
export type AlertFacts = {
  /** The id of the bank that it claims to be from or, once signed, is from. */
  bank: string | null;
  template: string | null;
  amount: Paise | null;
  reference: string | null;
  payer: string | null;
  accountDigits: string | null;
  payeeVpa: string | null;
  /** The minute that the bank prints; what is not said leaves what is known. */
  printedAt?: string | null;
  alertTime: Date | null;
  /** Every signature of the mail: one that was stripped on the way must not make the rest look new. */
  signatureIds: readonly string[];
  signingDomain: string | null;
  selector: string | null;
  /** The address of ours that the bank signed. */
  recipient: string | null;
};

/** For an update of `alerts`: the facts are written with the verdict that rests on them, and at no other time. */
export function setFacts(sql: Queryable, facts: AlertFacts) {
  const [signatureId = null, ...others] = facts.signatureIds;
  return sql`bank = ${facts.bank}, template = ${facts.template}, amount_paise = ${facts.amount},
    bank_reference = ${facts.reference}, payer = ${facts.payer}, account_digits = ${facts.accountDigits},
    payee_vpa = ${facts.payeeVpa}, alert_time = ${facts.alertTime}, signature_id = ${signatureId},
    other_signature_ids = ${others}, signing_domain = ${facts.signingDomain}, selector = ${facts.selector},
    recipient = ${facts.recipient}, printed_at = coalesce(${facts.printedAt ?? null}, printed_at)`;
}

/** How a customer's sum came to differ from the one that was asked for, the likeliest first. */
export type NearMissKind = 'base' | 'rounded' | 'swapped' | 'wrong_digit';

/**
 * Whether somebody who means this order would pay this sum by mistake: the amount without its offset, whole rupees, the
 * two paise digits swapped, or one of them wrong. Null for the exact sum, which is no near miss, and for any other.
 */
export function nearMissKind(
  received: Paise,
  order: { amount_paise: Paise; payable_paise: Paise },
): NearMissKind | null {
  const { amount_paise: amount, payable_paise: payable } = order;
  if (received === payable) return null;
  if (received === amount) return 'base';
  if (received === payable - (payable % 100) || received === Math.round(payable / 100) * 100)
    return 'rounded';
  if (Math.floor(received / 100) !== Math.floor(payable / 100)) return null;
  const [asked, paid] = [digitsOf(payable), digitsOf(received)];
  if (asked.tens === paid.units && asked.units === paid.tens) return 'swapped';
  return asked.tens === paid.tens || asked.units === paid.units ? 'wrong_digit' : null;
}

function digitsOf(sum: Paise): { tens: number; units: number } {
  return { tens: Math.floor((sum % 100) / 10), units: sum % 10 };
}
