import { because, type Reason } from '../../texts/verdicts.ts';
import type { Bank, CreditFacts, Reading, Template, Wording } from '../banks/bank.ts';
import { slots } from '../banks/slots.ts';
import { normaliseLines, normaliseText } from '../mail/plain-text.ts';
import { cameAnotherWay } from './came-another-way.ts';
import { parseAmount } from './parse-amount.ts';
import { recogniseOtherMail } from './recognise-other-mail.ts';
import { weighPlace } from './weigh-place.ts';
import { writeOpening } from './write-opening.ts';
import { writeSurroundings } from './write-surroundings.ts';

/** No alert of a bank is near this long; with it the work on one mail has a limit. */
export const longestText = 32_768;
const longestSubject = 1_000;

/**
 * Gate 4: what a bank's signed words say. A credit is read only from one known wording, found once in the whole
 * text, with the bank's own subject and in a place where only the bank writes. Everything else is no credit, or
 * unreadable and left to a person.
 */
export function readWording(bank: Bank, wording: Wording): Reading {
  const subject = normaliseText(wording.subject);
  const text = normaliseLines(wording.text);
  if (text.length > longestText || subject.length > longestSubject)
    return unreadable(because('text_too_long'));
  const [only, ...more] = statementsIn(bank, text);
  if (only === undefined) return notRead(noCreditIn(bank, subject, text));
  if (more.length > 0) return unreadable(because('two_wordings'));
  const negative = nameNegative(bank, subject, text.slice(0, endOfSentence(only.match, text)));
  if (negative !== null) return { outcome: 'not_a_credit', reason: negative, facts: null };
  return judge(bank, only, subject, text);
}

/** A statement and the templates that read it: a wording may be listed again for subjects that nobody has published. */
type Statement = { readonly templates: readonly [Template, ...Template[]]; readonly match: RegExpExecArray };

function statementsIn(bank: Bank, text: string): Statement[] {
  const found = new Map<string, Statement>();
  for (const template of bank.templates)
    for (const match of text.matchAll(template.body)) {
      const place = `${match.index} ${match[0].length}`;
      const known = found.get(place);
      found.set(
        place,
        known === undefined
          ? { templates: [template], match }
          : { ...known, templates: [...known.templates, template] },
      );
    }
  return [...found.values()];
}

/** What each credit wording in a text says of the money, believed or not. Null for a sum that nobody can read. */
export function factsIn(bank: Bank, text: string): (CreditFacts | null)[] {
  if (text.length > longestText) return [null];
  return statementsIn(bank, text).map(({ templates, match }) => factsOf(templates[0], match));
}

/** What a text without a credit wording certainly is, or null where nobody can say. */
export function noCreditIn(bank: Bank, subject: string, text: string): Reason | null {
  return nameNegative(bank, subject, text) ?? recogniseOtherMail(subject, text.replaceAll('\n', ' '));
}

/** A listed phrase in front of a credit wording, or in its sentence, outweighs it; in the footer it is advertising. */
function nameNegative(bank: Bank, subject: string, text: string): Reason | null {
  const said = bank.negatives.find(
    negative => (negative.subject?.test(subject) ?? true) && (negative.body?.test(text) ?? true),
  );
  return said?.reason ?? null;
}

/** A full stop, the end of the line or a word with a capital ends the sentence that holds the wording. */
function endOfSentence(match: RegExpExecArray, text: string): number {
  const end = match.index + match[0].length;
  return end + (/^(?:[^.!?।\n\p{Lu}]|\p{Lu}(?!\p{Ll})){0,80}/u.exec(text.slice(end))?.[0].length ?? 0);
}

function judge(bank: Bank, { templates, match }: Statement, subject: string, text: string): Reading {
  const template = templates.find(one => one.subject.test(subject)) ?? templates[0];
  const facts = factsOf(template, match);
  if (facts === null) return unreadable(because('no_amount'));
  const doubt =
    doubtAboutSubject(template, match, subject) ??
    doubtAboutDoubles(bank, template, match, text) ??
    doubtAboutPayer(match);
  if (doubt !== null) return unreadable(doubt);
  if (template.channel === 'other')
    return { outcome: 'not_a_credit', reason: template.reason ?? because('other_channel'), facts };
  const place = weighPlace(bank, text, match);
  if (place?.kind === 'quoted') return unreadable(because('payers_place'));
  if (place?.kind === 'unlisted')
    return unlisted(writeOpening(place.line), writeSurroundings(bank, text, match));
  if (cameAnotherWay(match.groups?.['narration'] ?? ''))
    return { outcome: 'not_a_credit', reason: because('other_channel'), facts };
  return { outcome: 'credit', facts, surroundings: writeSurroundings(bank, text, match) };
}

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
  const end = text.indexOf('\n', match.index + match[0].length);
  // No payer's text stands before the amount, so a sum in the footer ("cashback of Rs. 500") offers no second one.
  const upToStatement = end < 0 ? text : text.slice(0, end);
  for (const guard of template.guards) {
    const expected = match.groups?.[guard.slot] === undefined ? 0 : 1;
    const searched = guard.slot === 'amount' ? upToStatement : text;
    if ([...searched.matchAll(guard.pattern)].length !== expected) return because('words_repeated');
  }
  const payerText = firstPayerText(match);
  for (const other of bank.templates)
    for (const guard of other.guards)
      if (guard.slot === 'amount')
        for (const { index } of upToStatement.matchAll(guard.pattern))
          if (index < match.index || index >= payerText) return because('words_repeated');
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
function doubtAboutPayer({ groups = {} }: RegExpExecArray): Reason | null {
  const names = [groups['payer_name'], groups['cut_name'], groups['gap']];
  const odd = /(?:\bRs\b\.?|\bINR\b|₹) ?\p{N}|\p{N}{11}|\b(?:credited|debited)\b/iu;
  return names.some(name => name !== undefined && odd.test(name)) ? because('odd_payer_name') : null;
}

function notRead(reason: Reason | null): Reading {
  if (reason !== null) return { outcome: 'not_a_credit', reason, facts: null };
  return unreadable(because('unknown_wording'));
}

function unreadable(reason: Reason): Reading {
  return { outcome: 'unreadable', reason, unlistedLine: null, surroundings: null };
}

function unlisted(unlistedLine: string | null, surroundings: string): Reading {
  return { outcome: 'unreadable', reason: because('unknown_line'), unlistedLine, surroundings };
}
