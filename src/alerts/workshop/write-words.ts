import { currency, slots } from '../banks/slots.ts';

/** A value in fixed words that a person has to name first: a guess would decide over money. */
export type Unmarked = { readonly mark: 'account' | 'reference' | 'payer_vpa'; readonly value: string };

/**
 * Words of a mail as a template has them: what changes from mail to mail (days, times, balances, numbers) becomes a
 * slot by itself, and the signs of the template language become plain characters.
 */
export function writeWords(words: string): string {
  let written = '';
  let at = 0;
  for (const found of words.matchAll(values)) {
    const kind = Object.keys(patterns).find(name => found.groups?.[name] !== undefined)!;
    written += escaped(words.slice(at, found.index)) + slotFor(kind, found.groups!);
    at = found.index + found[0].length;
  }
  // The end of a line is a space to a template.
  return (written + escaped(words.slice(at))).replaceAll('\n', ' ');
}

/** What in these words looks like a fact of the payment and was marked as none, where there is no mark of its kind. */
export function findUnmarked(words: string, marked: readonly string[]): Unmarked | null {
  const has = (...names: string[]) => names.some(name => marked.includes(name));
  for (const { groups = {} } of words.matchAll(values)) {
    if (groups['vpa'] !== undefined && !has('payer_vpa', 'payee_vpa'))
      return { mark: 'payer_vpa', value: groups['vpa'] };
    if (groups['masked'] !== undefined && !has('account'))
      return { mark: 'account', value: groups['masked'] };
    const number = groups['number'];
    if (number !== undefined && /^[0-9]{9,16}$/.test(number) && !has('reference', 'utr'))
      return { mark: 'reference', value: number };
  }
  return null;
}

function slotFor(kind: string, groups: Record<string, string>): string {
  // Whose it is nobody said, and who is not named is not the payer: two UPI IDs stand in some mails.
  if (kind === 'vpa') return '{payer_vpa}';
  if (kind === 'sum') return `${groups['mark']}{balance}`;
  return { date: '{date}', time: '{time}', masked: '{mobile}', number: '{token}' }[kind]!;
}

function escaped(words: string): string {
  return words.replace(/[[\]{}\\]/g, '\\$&');
}

/** Tried in this order at every place. */
const patterns = {
  vpa: slots['payer_vpa']!.pattern,
  sum: `(?<mark>${currency})(?:${slots['balance']!.pattern})`,
  date: slots['date']!.pattern,
  time: slots['time']!.pattern,
  masked: '(?:[0-9]{1,6})?[Xx*]{1,18}[0-9]{2,18}',
  number: '(?=[A-Z]{0,12}[0-9])(?:[0-9]{5,18}|[A-Z0-9]{8,22})',
};
const values = new RegExp(
  `(?<![\\p{L}\\p{N}])(?:${Object.entries(patterns)
    .map(([name, pattern]) => `(?<${name}>${pattern})(?![\\p{L}\\p{N}])`)
    .join('|')})`,
  'gu',
);
