import { because, type Reason } from '../../texts/verdicts.ts';

/**
 * Recognises a mail that is certainly no credit. These are whole statements, not single words: a footer's "never share
 * your OTP" or "credit cards" says nothing about the mail. An unknown credit wording must stay visible as unreadable.
 */
export function recogniseOtherMail(subject: string, text: string): Reason | null {
  const said = codes.find(code => statements[code].test(subject) || statements[code].test(text));
  if (said !== undefined) return because(said);
  return debitComesFirst(subject) || debitComesFirst(text) ? because('debit') : null;
}

/**
 * "Debited from your account and credited to VPA …" is a debit. "Credited to your account …" with a debit word further
 * down is a credit in unknown words.
 */
function debitComesFirst(text: string): boolean {
  const debit = text.search(debitStatement);
  const credit = text.search(/\b(?:credited|received)\b/i);
  return debit >= 0 && (credit < 0 || debit < credit);
}

const debitStatement =
  /\b(?:debited|deducted|withdrawn|withdrawal of|spent|you have transferred|you have sent|you paid|has been used for a transaction|your payment (?:of|to)|your transaction of|payment of [^.]{1,40}\.?[0-9]{0,2} from (?:your )?a\/c|successfully made a|have made an online|successfully initiated a|beneficiary [^.]{1,80} has received)\b/i;

/**
 * The text up to the end of the sentence, or of its line, that says that a sum came. Behind it are a footer and the
 * payer's remark. The whole text if no sentence says that.
 */
export function upToCredit(text: string): string {
  const credit = text.search(creditStatement);
  const sum = text.search(/(?:\bRs\.?|\bINR\.?|₹) ?[0-9]|[0-9]\.[0-9]{2}(?![0-9.])/i);
  if (credit < 0 || sum < 0) return text;
  sentenceEnd.lastIndex = Math.max(credit, sum);
  return text.slice(0, sentenceEnd.exec(text)?.index);
}

/** Not "will be credited", "not received" or "received a request". */
const creditStatement = /(?<!\b(?:be|not|not been) )\b(?:credited|received)\b(?![^.\n]{0,40}\brequest)/i;

/** A point after "no" or "Rs" ends no sentence. A line that breaks after "your" or before a small letter goes on. */
const sentenceEnd =
  /(?<!\b(?:[Nn]o|NO|R[Ss]|INR|[Rr]ef|M[rs]|Mrs|M\/[Ss]|[Aa]\/[Cc]|your|the|to|of|by|from|for|on|in|with|towards))(?:[.!?](?=\s?\p{Lu})|\n(?!\p{Ll}))/gu;

/** The keys are the reasons that the merchant reads; the first match counts. */
const statements = {
  otp: /\b(?:is the OTP|OTP (?:is|for) |one[- ]time password(?: \(OTP\))? (?:is|for)\b)/i,
  failed_or_declined:
    /\b(?:could not be processed|(?:was|is|has been) (?:declined|unsuccessful)|payment (?:has )?failed|transaction (?:has )?failed|has failed)\b/i,
  refund:
    /\b(?:reversal of|has been reversed|txn\. reversed|status: reversed|merchant credit refund|refund has|credited back|reversal has been)/i,
  request: /\b(?:has requested|collect request|payment request|requested (?:money|a payment|you to pay))\b/i,
  mandate_or_autopay:
    /\b(?:e-?mandate|autopay|standing instruction)\b[^.]{0,60}\b(?:set|activated|registered|created|approved|successful|transaction)\b/i,
  loan_repayment: /\bloan account\b.{0,60}\bcredited\b/i,
  card_bill:
    /\b(?:payment|repayment|credits?)\b[^.]{0,60}\b(?:on|to|towards|for) (?:your|the) [^.]{0,40}\bcredit card\b|\bcredited to your [^.]{0,40}\bcredit card\b|\bcredit card bill\b/i,
  statement: /\b(?:e-?statement|statement (?:for|is|of account)|enclosed is)\b/i,
  balance: /\bavailable balance in your account\b/i,
};

/** A reversal counts wherever it is said. */
export const refundIn = (text: string): Reason | null =>
  statements.refund.test(text.replaceAll('\n', ' ')) ? because('refund') : null;

const codes = Object.keys(statements) as (keyof typeof statements)[];

/** Words of a bank's narration that name the channel. If UPI or IMPS is the first of them, it may pay. */
const channels = new Set(
  (
    'UPI IMPS NEFT RTGS ACH ACHCR NACH CEMTEX ATM ECS CASH CHQ CHEQUE CLG CLEARING INT INTEREST SALARY PENSION ' +
    'DIVIDEND TDS FD SWIFT REV REVERSE REVERSED REVERSAL REFUND RETURN RET UPIREV UPIREVERSAL UPIRET UPIRETURN ' +
    'UPIREFUND UPIRFND'
  ).split(' '),
);
const paying = new Set(['UPI', 'IMPS']);
/** Words that banks write before UPI or IMPS. After any other word those two may be a payer's or a shop's. */
const leading = new Set(
  'BY TRANSFER TRF TFR FROM ONL ONLINE CR CREDIT DEP DEPOSIT INB MOB MMT BHIM YONO'.split(' '),
);

/** After UPI or IMPS these mean returned money; the short ones only before a number ("UPI/DR SHARMA" is a doctor). */
const returns = new Set(
  'REV REVERSE REVERSED REVERSAL RVSL REVSL REFUND RFND RETURN RET RETD RETN REJECT REJECTED CHARGEBACK FAILED'.split(
    ' ',
  ),
);
const returnsBeforeNumber = new Set('DR RTN REJ RJT RFD RRC CB ADJ'.split(' '));

/**
 * Whether a narration says that the money came by another channel than UPI or IMPS. The first word that names a
 * channel is the bank's; a later one may be the payer's remark. Null if unclear.
 */
export function namesOtherChannel(narration: string): boolean | null {
  const words = narration.toUpperCase().match(/\p{L}+|\p{N}+/gu) ?? [];
  const at = words.findIndex(
    (word, i) => channels.has(word) || (word === 'DEBIT' && words[i + 1] === 'CARD'),
  );
  if (at < 0) return null;
  const [channel, next = '', afterNext = ''] = words.slice(at);
  if (!paying.has(channel!)) return true;
  if (returns.has(next) || (returnsBeforeNumber.has(next) && /^\p{N}/u.test(afterNext))) return true;
  return words.slice(0, at).every(word => leading.has(word)) ? false : null;
}
