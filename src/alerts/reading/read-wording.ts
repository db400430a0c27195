import { because, type Reason } from '../../texts/verdicts.ts';
import type { Bank, CreditFacts, Reading, Template, Wording } from '../banks/bank.ts';
import { trustOf } from '../banks/bank-support.ts';
import { ownedByPayers, slots } from '../banks/slots.ts';
import { normaliseLines, normaliseText, parseAmount, withoutBorders } from '../mail/plain-text.ts';
import { type CreditSentence, findCreditSentences, isPayers, ownedSpans } from './find-credit-sentences.ts';
import type { Lined, Span } from './find-splits.ts';
import { type RowDoubt, readRows } from './read-rows.ts';
import { namesOtherChannel, recogniseOtherMail, refundIn, upToCredit } from './recognise-other-mail.ts';
import { weighPlace } from './weigh-place.ts';
import { writeOpening, writeSurroundings } from './write-surroundings.ts';

/** No bank's alert is nearly this long; the limit bounds the work on one mail. */
export const longestText = 32_768;
const longestSubject = 1_000;

/**
 * Gate 4: reads a bank's signed words. A credit needs one known wording, found once in the whole text, with the bank's
 * own subject, in a place where only the bank writes. Everything else is no credit, or unreadable and left to a
 * person.
 */
export function readWording(bank: Bank, wording: Wording): Reading {
  const subject = normaliseText(wording.subject);
  const said = linedOf(wording);
  if (said.text.length > longestText || subject.length > longestSubject)
    return unreadable(because('text_too_long'));
  const [only, ...more] = findCreditSentences(bank, said);
  if (only === undefined) {
    const reason = noCreditIn(bank, subject, upToCredit(said.text)) ?? refundIn(said.text);
    if (reason !== null) return { outcome: 'not_a_credit', reason, facts: null };
    return unreadable(rowDoubtIn(bank, said) ?? because('unknown_wording'));
  }
  if (more.length > 0) return unreadable(because('two_wordings'));
  const payersRow = rowDoubtIn(bank, said, ({ isPayers }) => isPayers === true);
  if (payersRow !== null) return unreadable(payersRow);
  const { text } = said;
  const isNamed = isChannelNamed(only, text);
  const owned = ownedSpans(only).filter(span => isNamed || span !== only.spans['narration']);
  const asked = without(text, owned);
  const negative = nameNegative(bank, subject, asked.slice(0, endOfSentence(only, asked)));
  if (negative !== null) return { outcome: 'not_a_credit', reason: negative, facts: null };
  return judge(bank, only, subject, said);
}

export function linedOf({ text, cells, source = null }: Omit<Wording, 'subject'>): Lined {
  return cells === undefined || cells === null
    ? { text: normaliseLines(text), cells: normaliseLines(text), source }
    : { text: withoutBorders(cells), cells, source };
}

/** The facts of each credit wording in a text, believed or not. Null for an unreadable sum. */
export function factsIn(bank: Bank, said: Lined): (CreditFacts | null)[] {
  if (said.text.length > longestText) return [null];
  return findCreditSentences(bank, said).map(one => factsOf(bank, one.templates[0], one, said.text));
}

/** The certain meaning of a text without a credit wording; null if it is unclear. */
export function noCreditIn(bank: Bank, subject: string, text: string): Reason | null {
  return nameNegative(bank, subject, text) ?? recogniseOtherMail(subject, text.replaceAll('\n', ' '));
}

/** A listed phrase before a credit wording or in its sentence wins over it; in the footer it is advertising. */
function nameNegative(bank: Bank, subject: string, text: string): Reason | null {
  const said = bank.negatives.find(
    negative => (negative.subject?.test(subject) ?? true) && (negative.body?.test(text) ?? true),
  );
  return said?.reason ?? null;
}

/** A full stop, a line's end or a capitalised word ends the wording's sentence. */
function endOfSentence({ to: end }: CreditSentence, text: string): number {
  return end + (/^(?:[^.!?।\n\p{Lu}]|\p{Lu}(?!\p{Ll})){0,80}/u.exec(text.slice(end))?.[0].length ?? 0);
}

function judge(bank: Bank, only: CreditSentence, subject: string, said: Lined): Reading {
  const { text } = said;
  const template = only.templates.find(one => one.subject.test(subject)) ?? only.templates[0];
  const facts = factsOf(bank, template, only, text);
  if (facts === null) return unreadable(because('no_amount'));
  const values = valuesOf(only, text);
  const doubt =
    (only.splits.length > 1 ? because('many_splits') : null) ??
    doubtAboutSubject(template, values, subject) ??
    doubtAboutDoubles(bank, template, only, text) ??
    doubtAboutSource(template, only, said) ??
    doubtAboutPayer(values);
  if (doubt !== null) return unreadable(doubt);
  const info = values['other_channel'];
  if (info !== undefined && namesOtherChannel(info) !== true) return unreadable(because('channel_not_named'));
  if (template.channel === 'other')
    return { outcome: 'not_a_credit', reason: template.reason ?? because('other_channel'), facts };
  const place = weighPlace(bank, said, { ...only, template });
  if (place?.kind === 'quoted') return unreadable(because('payers_place'));
  if (place?.kind === 'unlisted')
    return unreadable(because('unknown_line'), writeOpening(place.line), writeSurroundings(bank, text, only));
  if (values['narration'] !== undefined && values['reference'] === undefined) {
    const another = namesOtherChannel(values['narration']);
    if (another) return { outcome: 'not_a_credit', reason: because('other_channel'), facts };
    if (another === null && template.channel === 'any') return unreadable(because('channel_not_named'));
  }
  const believed = place?.kind === 'listed' ? { ...facts, trust: 'review_only' as const } : facts;
  return { outcome: 'credit', facts: believed, surroundings: writeSurroundings(bank, text, only) };
}

/** Whether the bank's words say UPI or IMPS before a payer's begin. If not, a whole narration may be the bank's. */
function isChannelNamed(only: CreditSentence, text: string): boolean {
  const { narration, reference } = valuesOf(only, text);
  return (
    narration === undefined ||
    reference !== undefined ||
    /^(?:BY TRANSFER[ -]*)?(?:UPI|IMPS)\b/i.test(narration)
  );
}

/** Replaces parts of the text with unreadable characters, at the same length. */
function without(text: string, spans: readonly Span[]): string {
  let out = text;
  for (const [from, to] of spans) out = out.slice(0, from) + '\uFFFF'.repeat(to - from) + out.slice(to);
  return out;
}

type Said = Readonly<Record<string, string>>;

function valuesOf({ spans }: Pick<CreditSentence, 'spans'>, text: string): Said {
  return Object.fromEntries(Object.entries(spans).map(([slot, span]) => [slot, text.slice(...span)]));
}

function factsOf(bank: Bank, template: Template, only: CreditSentence, text: string): CreditFacts | null {
  const said = valuesOf(only, text);
  const amount = parseAmount(said['amount'] ?? '');
  if (amount === null || amount === 0) return null;
  return {
    template: template.id,
    trust: trustOf(bank, template),
    amount,
    reference: said['reference'] ?? said['utr'] ?? null,
    payer: said['payer_vpa'] ?? said['payer_name'] ?? said['cut_name'] ?? null,
    accountDigits: trailingDigits(said['account']),
    payeeVpa: said['payee_vpa']?.toLowerCase() ?? null,
    printedAt: minuteOf(said['date'] ?? ''),
  };
}

function minuteOf(printed: string): string | null {
  return /^.{6,20}?[ ,][0-9]{1,2}[:.][0-9]{2}(?![0-9])/.exec(printed)?.[0] ?? null;
}

function trailingDigits(account: string | undefined): string | null {
  return account === undefined ? null : (/[0-9]+$/.exec(account)?.[0] ?? null);
}

/** Only the bank writes the subject. An amount or account in it must agree with the body. */
function doubtAboutSubject(template: Template, values: Said, subject: string): Reason | null {
  const said = template.subject.exec(subject);
  if (said === null) return because('other_subject');
  const amount = said.groups?.['amount'];
  if (amount !== undefined && parseAmount(amount) !== parseAmount(values['amount']!))
    return because('subject_amount_differs');
  const account = trailingDigits(said.groups?.['account']);
  if (account !== null && account !== trailingDigits(values['account']))
    return because('subject_account_differs');
  return null;
}

/**
 * The words before a fact occur as often as in the template, even where they are no complete match. So a payer's text
 * can neither offer a second value nor hide the first one.
 */
function doubtAboutDoubles(
  bank: Bank,
  template: Template,
  only: CreditSentence,
  whole: string,
): Reason | null {
  const text = without(whole, ownedSpans(only));
  const end = text.indexOf('\n', only.to);
  // No payer's text comes before the amount, so a sum in the footer ("cashback of Rs. 500") is no second one.
  const upToStatement = end < 0 ? text : text.slice(0, end);
  for (const guard of template.guards) {
    const expected = only.spans[guard.slot] === undefined ? 0 : 1;
    const searched =
      guard.slot === 'amount' ? upToStatement : isBehindPayers(only, guard.slot) ? whole : text;
    if ([...searched.matchAll(guard.pattern)].length !== expected) return because('words_repeated');
  }
  const payerText = firstPayerText(only);
  for (const other of bank.templates)
    for (const guard of other.guards)
      if (guard.slot === 'amount')
        for (const { index } of upToStatement.matchAll(guard.pattern))
          if (index < only.from || index >= payerText) return because('words_repeated');
  return null;
}

/**
 * A name that its bank does not escape can hide the bank's words and show others. But it cannot remove them from the
 * mail's source. If they are there with another value, it is unclear which is true.
 */
function doubtAboutSource(
  { leads, rows }: Template,
  only: CreditSentence,
  { text, source }: Lined,
): Reason | null {
  for (const { slot, pattern } of leads) {
    const read = only.spans[slot] && text.slice(...only.spans[slot]);
    if (rows !== null && !isBehindPayers(only, slot)) continue;
    for (const { groups } of (source ?? text).matchAll(pattern))
      if (groups!['value'] !== read) return because('words_repeated');
  }
  return null;
}

/** A payer could write another value before the true one and move that into a remark, so remarks are searched too. */
function isBehindPayers({ spans }: CreditSentence, slot: string): boolean {
  const at = spans[slot]?.[0] ?? Number.POSITIVE_INFINITY;
  return Object.entries(spans).some(([name, [from]]) => isPayers(name) && from < at);
}

/** The end of the bank's statement about the amount: the first payer's text after it, or the wording's end. */
function firstPayerText({ spans, to }: CreditSentence): number {
  const amountAt = spans['amount']?.[0] ?? 0;
  const payers = Object.entries(spans).flatMap(([slot, place]) =>
    slots[slot]?.author === 'payer' && place[0] > amountAt ? [place[0]] : [],
  );
  return Math.min(...payers, to);
}

/** A name must not contain sums of money, or numbers as long as a reference. */
function doubtAboutPayer(values: Said): Reason | null {
  const odd = /(?:\bRs\b\.?|\bINR\b|₹) ?\p{N}|\p{N}{11}|\b(?:credited|debited)\b/iu;
  const isOdd = Object.entries(values).some(
    ([slot, value]) =>
      (slots[slot]?.author === 'payer' &&
        !ownedByPayers.has(slot) &&
        slot !== 'cut_name' &&
        !new RegExp(`^(?:${slots[slot]!.pattern})$`, 'u').test(value)) ||
      ((slot === 'payer_name' || slot === 'gap') && odd.test(value)),
  );
  return isOdd ? because('odd_payer_name') : null;
}

/** The row that prevents an alert in rows from being read, if its heading is there. */
function rowDoubtIn(
  bank: Bank,
  said: Lined,
  counts: (doubt: RowDoubt) => boolean = () => true,
): Reason | null {
  for (const template of bank.templates)
    for (const read of template.rows === null ? [] : readRows(template, said)) {
      if ('isOdd' in read) return because('odd_payer_name');
      if ('doubt' in read && counts(read)) return because('row_odd', { row: read.doubt });
    }
  return null;
}

export function unreadable(
  reason: Reason,
  unlistedLine: string | null = null,
  surroundings: string | null = null,
): Reading {
  return { outcome: 'unreadable', reason, unlistedLine, surroundings };
}
