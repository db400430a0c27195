import { because, type Reason } from '../verdicts.ts';
import type { CreditFacts } from './bank.ts';
import { doubtBehind } from './doubt-behind.ts';
import { doubtIn, withoutAnswers } from './doubt-words.ts';
import { withoutGreetedName } from './greeted-name.ts';
import { parseAmount } from './parse-amount.ts';

/** Where a credit wording stands in its mail. */
type Place = { readonly before: string; readonly wording: string; readonly after: string };

/**
 * A bank makes its statement first and once. A credit wording that comes after other money or another transaction is a
 * quotation (somebody's account name is "Rs. 500 is credited …"), and one whose own statement goes on to say that the
 * money went back is no payment. A footer is neither: "for failed transactions the amount debited will be reversed"
 * speaks of no transaction in particular, and a customer must not lose his payment to it.
 */
export function doubtAboutPlace({ before, wording, after }: Place, facts: CreditFacts): Reason | null {
  for (const [, marked, unmarked] of before.matchAll(anyAmount))
    if (parseAmount((marked ?? unmarked)!.replace(/[.,]+$/, '')) !== facts.amount)
      return because('amount_before');
  const lead = withoutGreetedName(before);
  const earlier = (earlierTransaction.exec(lead) ?? namedIncome.exec(lead))?.[0] ?? doubtIn(lead);
  if (earlier !== null) return because('words_before', { words: earlier });
  const undone =
    undoneAfter(wording, after.slice(0, nearby)) ??
    doubtBehind(after, { endsInPayerText: wording.endsWith('/') });
  return undone === null ? null : because('words_beside', { words: undone });
}

/** A number behind a currency sign, or one with two decimals, which only sums of money and rates in per cent have. */
const anyAmount =
  /(?:\bRs\.?|\bINR\.?|₹) ?((?:[0-9]|[.,][0-9])[0-9,.]{0,20})|(?<![\p{L}\p{N}.,])([0-9][0-9,]{0,14}\.[0-9]{2})(?![\p{L}\p{N}]|[.,]\p{N}| ?%)/giu;

const earlierTransaction =
  /\b(?:sender|debited|deducted|withdrawn|spent|paid|transferred|you have sent|(?<!\bas )requested|reversed|reversal|refund(?:ed)?|failed|declined|mandate|autopay|beneficiary|payee|dispute[ds]?|complaint|chargeback|transactions (?:for|from|in|during|between)|(?:mini )?statement (?:for|of)|for example|sample (?:alert|mail|e-?mail|message)|will look like|is the OTP|forwarded message|original message|wrote:)(?!\p{L})/iu;

/** A headline may say that money came ("Money received!"); one that goes on to name somebody is a statement. */
const namedIncome =
  /\b(?:credited|received|deposited)\b.{0,80}?(?:(?<!greetings )\bfrom\b|\b(?:by|name|remarks?|(?<!please )note|message from|VPA|UPI ID)\b|@)/i;

/** Far enough for the rest of the statement, too short for most footers. */
const nearby = 200;

function undoneAfter(wording: string, after: string): string | null {
  const [rest = '', ...sentences] = withoutAnswers(after.split(/(?<=[.!?]) |(?<=\.)(?=\p{Lu})/u));
  const goesOn = !wording.endsWith('/') && !/^\W*\p{Lu}\p{Ll}/u.test(rest);
  const direct = goesOn ? sameBreath.exec(rest) : null;
  if (direct !== null) return direct[0].trim();
  for (const sentence of [rest, ...sentences]) {
    const foreign = sentence === rest ? foreignStatement.exec(rest) : null;
    const said = foreign ?? notDone.exec(sentence) ?? undone.exec(sentence);
    if (said !== null && !supposed.test(sentence.slice(0, said.index + said[0].length))) return said[0];
  }
  return null;
}

/** What the wording itself goes on with: "… for reversal of UPI transaction", "… - REVERSED". A capital begins anew. */
const sameBreath =
  /^,? ?(?:(?:for|towards|as|being|against|due to|on account of|by way of|on|in|by|via|through|upon|after|following) (?:an? |the |your )?(?:\w+ ){0,2}?(?:revers|refund|return|fail|chargeback|cancel)|[-–(:*] ?(?:revers|refund|fail|declin|cancel))\w*/i;

/** The bank's own sentence, with the wording as the name of somebody in it. */
const foreignStatement =
  /(?<!\b(?:you|we|mail|message|alert|notification|communication|intimation|SMS) )\b(?:has|have) (?:requested|asked|received|paid|sent|been (?:paid|sent|added))\b|\b(?:requests|is requesting) (?:(?:Rs|INR|you|money|a payment|payment)\b|₹)/i;

const notDone =
  /\b(?:could not be|(?:has|have|was|were|is) not (?:yet )?(?:been )?(?:credited|completed|processed|successful)|(?:payment|transaction|transfer|credit|it) (?:has )?failed|status ?: ?(?:failed|failure|reversed|declined|pending|unsuccessful|cancell?ed|rejected|on hold|initiated|scheduled|expired|refunded|returned|awaited|in process|processing)|has requested)\b(?! ?\?)/i;

const undone =
  /\b(?:(?:is|was|were|been|stands) (?:\w+ ){0,2}?(?:reversed|refunded|declined|cancelled|debited|rejected|returned|recalled|unsuccessful|on hold|under lien)|(?:this|the (?:above|said|credited)) (?:credit|amount|transaction|payment|transfer|money|sum)\b[^.]{0,40}?\b(?:reversed|refunded|debited|on hold|failed|declined|unsuccessful|cancelled|returned|provisional))\b/i;

/** A sentence about what might happen, what never happens, or what any customer should do. */
const supposed =
  /^\W*for\b|\ba failed (?:transaction|payment)\b|\b(?:if|in case|incase|in the event|when|whenever|unless|until|once|should|any|for all|may|might|can|cannot|can't|never|(?:will|is|was|been|be) not|not be(?= (?:reversed|refunded|debited|cancelled|returned)))\b/i;
