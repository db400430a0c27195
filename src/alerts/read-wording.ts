import { because, type Reason } from '../verdicts.ts';
import type { Bank, CreditFacts, Reading, Template, Wording } from './bank.ts';
import { doubtAboutPlace } from './doubt-about-place.ts';
import { doubtIn } from './doubt-words.ts';
import { nameNoCredit } from './name-no-credit.ts';
import { parseAmount } from './parse-amount.ts';
import { normaliseText } from './plain-text.ts';
import { slots } from './slots.ts';

/** No alert of a bank is near this long; with it the work on one mail has a limit. */
export const longestText = 32_768;
const longestSubject = 1_000;

/**
 * Gate 4: what a bank's signed words say. A credit is read only from one known wording, found once in the whole
 * text, with the bank's own subject. Everything else is no credit, or unreadable and left to a person.
 */
export function readWording(bank: Bank, wording: Wording): Reading {
  const subject = normaliseText(wording.subject);
  const text = normaliseText(wording.text);
  if (text.length > longestText || subject.length > longestSubject)
    return unreadable(because('text_too_long'));
  const found = findMatches(bank, text);
  const [only, ...more] = found;
  if (only === undefined) return notRead(noCreditIn(bank, subject, text));
  if (more.length > 0) return unreadable(because('two_wordings'));
  const negative = nameNegative(bank, subject, text.slice(0, endOfStatement(only.match, text)));
  if (negative !== null) return { outcome: 'not_a_credit', reason: negative, facts: null };
  return judge(bank, only, subject, text);
}

type Found = { readonly template: Template; readonly match: RegExpExecArray };

function findMatches(bank: Bank, text: string): Found[] {
  return bank.templates.flatMap(template =>
    [...text.matchAll(template.body)].map(match => ({ template, match })),
  );
}

/** Whether a text holds a credit wording of the bank at all, believed or not. */
export function holdsWording(bank: Bank, text: string): boolean {
  return text.length > longestText || findMatches(bank, text).length > 0;
}

/** What a text without a credit wording certainly is, or null where nobody can say. */
export function noCreditIn(bank: Bank, subject: string, text: string): Reason | null {
  return nameNegative(bank, subject, text) ?? nameNoCredit(subject, text);
}

/** A listed phrase in front of a credit wording, or in its sentence, outweighs it; in the footer it is advertising. */
function nameNegative(bank: Bank, subject: string, text: string): Reason | null {
  const said = bank.negatives.find(
    negative => (negative.subject?.test(subject) ?? true) && (negative.body?.test(text) ?? true),
  );
  return said?.reason ?? null;
}

/** The end of the sentence that holds the wording: a full stop, a word that begins anew, or a few words on. */
function endOfStatement(match: RegExpExecArray, text: string): number {
  const end = match.index + match[0].length;
  return (
    end + (/^\W*(?=\p{Lu}\p{Ll})|^.{0,80}?(?=[.!?] |$)|^.{0,40}/u.exec(text.slice(end))?.[0].length ?? 0)
  );
}

function judge(bank: Bank, { template, match }: Found, subject: string, text: string): Reading {
  const facts = factsOf(template, match);
  if (facts === null) return unreadable(because('no_amount'));
  const doubt =
    doubtAboutSubject(template, match, subject) ??
    doubtAboutPlace(placeOf(match, text), facts) ??
    doubtAboutDoubles(bank, template, match, text) ??
    doubtAboutPayer(match);
  if (doubt !== null) return unreadable(doubt);
  const other =
    template.channel === 'other'
      ? (template.reason ?? otherChannel)
      : (otherChannelIn(match.groups?.['narration'] ?? '') ??
        (template.channel === 'any' ? otherChannelBehind(match, text) : null));
  if (other !== null) return { outcome: 'not_a_credit', reason: other, facts };
  return { outcome: 'credit', facts };
}

function placeOf(match: RegExpExecArray, text: string) {
  const end = match.index + match[0].length;
  return { before: text.slice(0, match.index), wording: match[0], after: text.slice(end) };
}

const unknownWording = because('unknown_wording');
const otherChannel = because('other_channel');

function factsOf(template: Template, match: RegExpExecArray): CreditFacts | null {
  const said = match.groups ?? {};
  const amount = parseAmount(said['amount'] ?? '');
  if (amount === null || amount === 0) return null;
  return {
    template: template.id,
    unconfirmed: template.unconfirmed,
    amount,
    reference: said['reference'] ?? said['utr'] ?? null,
    payer: said['payer_vpa'] ?? said['payer_name'] ?? said['cut_name'] ?? null,
    accountDigits: trailingDigits(said['account']),
    payeeVpa: said['payee_vpa']?.toLowerCase() ?? null,
  };
}

function trailingDigits(account: string | undefined): string | null {
  return account === undefined ? null : (/[0-9]+$/.exec(account)?.[0] ?? null);
}

/** The subject is the bank's alone: where it repeats an amount or account, both must agree with the body. */
function doubtAboutSubject(template: Template, match: RegExpExecArray, subject: string): Reason | null {
  const said = template.subject.exec(subject);
  if (said === null) return because('other_subject');
  const doubt = doubtIn(subject);
  if (doubt !== null) return because('subject_says', { words: doubt });
  const amount = said.groups?.['amount'];
  if (amount !== undefined && parseAmount(amount) !== parseAmount(match.groups!['amount']!))
    return because('subject_amount_differs');
  const account = trailingDigits(said.groups?.['account']);
  if (account !== null && account !== trailingDigits(match.groups!['account']))
    return because('subject_account_differs');
  return null;
}

/**
 * The words that lead to a fact occur once for each time the template has them, also where they do not make a
 * whole match: so payer text can neither offer a second value nor hide the first one.
 */
function doubtAboutDoubles(
  bank: Bank,
  template: Template,
  match: RegExpExecArray,
  text: string,
): Reason | null {
  for (const guard of template.guards) {
    const expected = match.groups?.[guard.slot] === undefined ? 0 : 1;
    if ([...text.matchAll(guard.pattern)].length !== expected)
      return because('words_repeated', { slot: guard.slot });
  }
  const payerText = firstPayerText(match);
  for (const other of bank.templates)
    for (const guard of other.guards)
      if (guard.slot === 'amount')
        for (const { index } of text.matchAll(guard.pattern))
          if (index < match.index || index >= payerText) return because('amount_twice');
  return null;
}

/** Where the bank's own statement of the amount ends: at the first payer text after it, or with the wording. */
function firstPayerText(match: RegExpExecArray): number {
  const places = match.indices?.groups ?? {};
  const amountAt = places['amount']?.[0] ?? 0;
  const payers = Object.entries(places).flatMap(([slot, place]) =>
    slots[slot]?.author === 'payer' && place !== undefined && place[0] > amountAt ? [place[0]] : [],
  );
  return Math.min(...payers, match.index + match[0].length);
}

/** A name is a name. Sums of money and numbers as long as a reference have no business in it. */
function doubtAboutPayer(match: RegExpExecArray): Reason | null {
  const name = match.groups?.['payer_name'] ?? match.groups?.['cut_name'] ?? '';
  const odd = /(?:\bRs\b\.?|\bINR\b|₹) ?[0-9]|[0-9]{11,}|\b(?:credited|debited)\b/i.test(name);
  return odd ? because('odd_payer_name') : null;
}

/**
 * The first word of a narration that names a channel is the bank's; what comes later may be the payer's remark. A
 * narration that names none says nothing against UPI.
 */
function otherChannelIn(narration: string): Reason | null {
  const named = channelWord.exec(narration);
  if (named === null) return null;
  const rest = named.input.slice(named.index + named[0].length);
  return /^(?:UPI|IMPS)$/i.test(named[0]) && !comesBack.test(rest) ? null : otherChannel;
}

/** "… is credited by INR 500 via NEFT from …": a wording that names no channel may go on and name it before the payer. */
function otherChannelBehind(match: RegExpExecArray, text: string): Reason | null {
  if (hasEnded.test(match[0])) return null;
  const end = match.index + match[0].length;
  const [said = ''] = text.slice(end, endOfStatement(match, text)).split(/\bfrom (?!your|own|loan|fixed)/i);
  return otherChannelIn(said) ?? (ownMoney.test(said) ? otherChannel : null);
}

/** A full stop, the bank's name and the balance end the bank's sentence; what follows is the footer. */
const hasEnded = /(?:\.|-SBI|\bbal(?:ance)?(?: is)?(?: (?:INR|Rs)\.?)?)$/i;

const ownMoney = /\b(?:cashback|fixed deposit|own account|loan|from your)\b/i;

const channelWord =
  /(?<!\p{L})(?:UPI|IMPS|UPI(?:REV(?:ERSAL)?|RET(?:URN)?|REFUND|RFND)|NEFT|RTGS|ACH|ACHCR|NACH|CEMTEX|ATM|DEBIT CARD|ECS|CASH|CHQ|CHEQUE|CLG|CLEARING|INT|INTEREST|SALARY|PENSION|DIVIDEND|REV|REVERSED?|REVERSAL|REFUND|RETURN|RET|TDS|FD|SWIFT)(?!\p{L})/iu;

/** The bank's own code behind the channel; a short one only before a number, for "UPI/DR SHARMA" is a doctor. */
const comesBack =
  /^[\W_]{0,3}(?:(?:REV|REVERSED?|REVERSAL|RE?VE?R?SL|REFUND|RFND|RETURN|RETD?|REJECT(?:ED)?|CHARGEBACK|FAILED)(?!\p{L})|(?:DR|RTN|REJ|RJT|RFD|RRC|CB|ADJ)(?=[\W_]{1,2}[0-9]))/iu;

function notRead(reason: Reason | null): Reading {
  if (reason !== null) return { outcome: 'not_a_credit', reason, facts: null };
  return unreadable(unknownWording);
}

function unreadable(reason: Reason): Reading {
  return { outcome: 'unreadable', reason };
}
