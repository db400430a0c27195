import { normaliseText } from '../mail/plain-text.ts';
import { currency, slots } from './slots.ts';

/** A template taken apart: fixed words, a named gap, one of several fixed wordings, or a part that may be missing. */
export type Piece =
  | { readonly kind: 'words'; readonly text: string; readonly isCurrency: boolean }
  | { readonly kind: 'slot'; readonly name: string }
  | { readonly kind: 'either'; readonly choices: readonly string[] }
  | { readonly kind: 'optional'; readonly pieces: readonly Piece[] };

export class TemplateError extends Error {}

const longestTemplate = 2_000;

/**
 * Reads the template language: fixed words as the bank prints them, `{slot}`, `{one|or|other}` and `[missing at
 * times]`. A backslash makes the next character a plain one. Optional parts do not nest: a wording that needs
 * that is two wordings.
 */
export function parseTemplate(text: string): Piece[] {
  if (text.length > longestTemplate) throw new TemplateError(`is longer than ${longestTemplate} characters`);
  const pieces: Piece[] = [];
  let optional: Piece[] | null = null;
  for (const token of tokens(text)) {
    const into: Piece[] = optional ?? pieces;
    if (token === '[') {
      if (optional !== null) throw new TemplateError('has a "[" inside an optional part');
      optional = [];
    } else if (token === ']') {
      if (optional === null) throw new TemplateError('has a "]" without its "["');
      if (optional.length === 0) throw new TemplateError('has an empty optional part');
      pieces.push({ kind: 'optional', pieces: optional });
      optional = null;
    } else if (token.startsWith('{')) {
      const piece = gap(token.slice(1, -1));
      if (piece.kind === 'slot' && ['amount', 'balance'].includes(piece.name)) markCurrency(into);
      into.push(piece);
    } else into.push({ kind: 'words', text: plain(token), isCurrency: false });
  }
  if (optional !== null) throw new TemplateError('has a "[" without its "]"');
  return pieces;
}

/** Takes the currency mark off the words that lead to a sum: there any mark of the rupee stands for any other. */
function markCurrency(into: Piece[]): void {
  const last = into.at(-1);
  const mark = last?.kind === 'words' ? currencyAtEnd.exec(last.text)?.[0] : undefined;
  if (last?.kind !== 'words' || mark === undefined) return;
  const words = last.text.slice(0, -mark.length);
  into.splice(-1, 1, ...(words === '' ? [] : [{ ...last, text: words }]), {
    kind: 'words',
    text: mark,
    isCurrency: true,
  });
}

const currencyAtEnd = new RegExp(`(?<!\\p{L})${currency}$`, 'u');

function tokens(text: string): string[] {
  const found = text.match(/\[|\]|\{[^{}]*\}|(?:\\.|[^[\]{}\\])+/gsuy) ?? [];
  const [odd] = text.slice(found.join('').length);
  if (odd !== undefined) throw new TemplateError(`has a "${odd}" without its partner`);
  return found;
}

function gap(inside: string): Piece {
  if (inside.includes('|')) {
    const choices = inside.split('|').map(plain);
    if (choices.some(choice => choice === '')) throw new TemplateError(`has an empty choice in {${inside}}`);
    return { kind: 'either', choices };
  }
  if (!Object.hasOwn(slots, inside)) throw new TemplateError(`has an unknown slot {${inside}}`);
  return { kind: 'slot', name: inside };
}

/** Fixed words pass through the same mill as the mail, with the spaces at their ends kept. */
function plain(token: string): string {
  const words = token.replace(/\\(.)/gsu, '$1');
  const middle = normaliseText(words);
  if (middle === '') return ' ';
  return (/^\s/.test(words) ? ' ' : '') + middle + (/\s$/.test(words) ? ' ' : '');
}
