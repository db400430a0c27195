/**
 * What a mail certainly is when it is no known credit, in words for the merchant. These are whole statements
 * and not single words: a footer's "never share your OTP" or "credit cards" says nothing about the mail, and an
 * unknown credit wording must stay visible as unreadable.
 */
export function nameNoCredit(subject: string, text: string): string | null {
  const said = statements.find(({ says }) => says.test(subject) || says.test(text));
  if (said !== undefined) return said.reason;
  return debitComesFirst(subject) || debitComesFirst(text) ? 'A debit alert: money left the account.' : null;
}

/**
 * "Debited from your account and credited to VPA …" is a debit. "Credited to your account …" with a debit word
 * further down is a credit in words that we do not know yet.
 */
function debitComesFirst(text: string): boolean {
  const debit = text.search(debitStatement);
  const credit = text.search(/\b(?:credited|received)\b/i);
  return debit >= 0 && (credit < 0 || debit < credit);
}

const debitStatement =
  /\b(?:debited|deducted|withdrawn|withdrawal of|spent|you have transferred|you have sent|you paid|has been used for a transaction|your payment (?:of|to)|your transaction of|payment of [^.]{1,40}\.?[0-9]{0,2} from (?:your )?a\/c|successfully made a|have made an online|successfully initiated a|beneficiary [^.]{1,80} has received)\b/i;

const statements: readonly { readonly says: RegExp; readonly reason: string }[] = [
  {
    says: /\b(?:is the OTP|OTP (?:is|for) |one[- ]time password(?: \(OTP\))? (?:is|for)\b)/i,
    reason: 'A one-time password, no payment.',
  },
  {
    says: /\b(?:could not be processed|(?:was|is|has been) (?:declined|unsuccessful)|payment (?:has )?failed|transaction (?:has )?failed|has failed)\b/i,
    reason: 'A payment that failed or was declined.',
  },
  {
    says: /\b(?:reversal of|has been reversed|txn\. reversed|status: reversed|merchant credit refund|refund has|credited back|reversal has been)/i,
    reason: 'A refund or reversal, not a payment by a customer.',
  },
  {
    says: /\b(?:has requested|collect request|payment request|requested (?:money|a payment|you to pay))\b/i,
    reason: 'A request to pay; no money has come in.',
  },
  {
    says: /\b(?:e-?mandate|autopay|standing instruction)\b[^.]{0,60}\b(?:set|activated|registered|created|approved|successful|transaction)\b/i,
    reason: 'A mandate or AutoPay notice, not a payment by a customer.',
  },
  {
    says: /\bloan account\b.{0,60}\bcredited\b/i,
    reason: 'A repayment to a loan account, not money received in the account.',
  },
  {
    says: /\b(?:payment|repayment|credits?)\b[^.]{0,60}\b(?:on|to|towards|for) (?:your|the) [^.]{0,40}\bcredit card\b|\bcredited to your [^.]{0,40}\bcredit card\b|\bcredit card bill\b/i,
    reason: 'A payment of a credit card bill, not money received in the account.',
  },
  {
    says: /\b(?:e-?statement|statement (?:for|is|of account)|enclosed is)\b/i,
    reason: 'A statement, not the alert of one payment.',
  },
  {
    says: /\bavailable balance in your account\b/i,
    reason: 'A balance notice, not the alert of one payment.',
  },
];
