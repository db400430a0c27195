import type { Queryable } from '../../base/database/connect.ts';
import type { Paise } from '../../base/money.ts';
import type { Trust } from '../../texts/verdicts.ts';

/** A mail that passed every gate: a genuine credit to this business, which now needs its order. */
export type Credit = AlertFacts & {
  merchantId: number;
  alertId: string;
  bank: string;
  amount: Paise;
  trust: Trust;
  /** The hash of its reference, if anything was erased (`erased-references.ts`). */
  erasureHash?: string;
  /** The bank signed its mail to a business of another cell too, or a cell could not be asked about that (R2). */
  twoCells?: boolean;
  /** The bank's time. It chooses the order, however late the mail is found. */
  alertTime: Date;
};

export type Confirmation = {
  outcome: 'paid' | 'extra_payment' | 'too_late' | 'wrong_account' | 'no_order' | 'duplicate';
  orderId: string | null;
};

export type NearMiss = { order_id: string; payable_paise: Paise; slip: NearMissKind | null };

export type Payment = { merchantId: number; alertId: string; amount: Paise; reference: string | null };

/** An alert's facts and signer, as stored. Null if a gate was not reached or the mail does not say it. */
export type AlertFacts = {
  /** The id of the bank that it claims to be from or, once signed, is from. */
  bank: string | null;
  template: string | null;
  amount: Paise | null;
  reference: string | null;
  payer: string | null;
  accountDigits: string | null;
  payeeVpa: string | null;
  /** The minute that the bank prints. If undefined, the known value stays. */
  printedAt?: string | null;
  alertTime: Date | null;
  /** Every signature of the mail, so that stripping one on the way does not make the rest look new. */
  signatureIds: readonly string[];
  signingDomain: string | null;
  selector: string | null;
  /** Our address that the bank signed. */
  recipient: string | null;
};

/** For an update of `alerts`. The facts are written only together with the verdict that rests on them. */
export function setFacts(sql: Queryable, facts: AlertFacts) {
  const [signatureId = null, ...others] = facts.signatureIds;
  return sql`bank = ${facts.bank}, template = ${facts.template}, amount_paise = ${facts.amount},
    bank_reference = ${facts.reference}, payer = ${facts.payer}, account_digits = ${facts.accountDigits},
    payee_vpa = ${facts.payeeVpa}, alert_time = ${facts.alertTime}, signature_id = ${signatureId},
    other_signature_ids = ${others}, signing_domain = ${facts.signingDomain}, selector = ${facts.selector},
    recipient = ${facts.recipient}, printed_at = coalesce(${facts.printedAt ?? null}, printed_at)`;
}

/** How a customer's sum differs from the requested one, the likeliest first. */
export type NearMissKind = 'base' | 'rounded' | 'swapped' | 'wrong_digit';

/**
 * Whether a customer of this order would pay this sum by mistake: the amount without its offset, whole rupees, swapped
 * paise digits, or one wrong paise digit. Null for any other sum, and for the exact one.
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
