import type { Queryable } from '../../base/database/connect.ts';
import type { Paise } from '../../base/money.ts';

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
