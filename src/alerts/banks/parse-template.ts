import { normaliseText } from '../mail/plain-text.ts';
import { currency, slots } from './slots.ts';

/** A parsed template: fixed words, a named slot, one of several fixed wordings, or an optional part. */
export type Piece =
  | { readonly kind: 'words'; readonly text: string; readonly isCurrency: boolean }
  | { readonly kind: 'slot'; readonly name: string }
  | { readonly kind: 'either'; readonly choices: readonly string[] }
  | { readonly kind: 'optional'; readonly pieces: readonly Piece[] };

export class TemplateError extends Error {}

const longestTemplate = 2_000;

/**
 * Reads the template language: fixed words as the bank prints them, `{slot}`, `{one|or|other}` and `[optional part]`.
 * A backslash makes the next character plain. Optional parts do not nest; write two templates instead.
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

/** Separates the currency mark from the words before a sum, so that any rupee mark matches any other. */
function markCurrency(into: Piece[]): void {
  const last = into.at(-1);
  const symbol = last?.kind === 'words' ? currencyAtEnd.exec(last.text)?.[0] : undefined;
  if (last?.kind !== 'words' || symbol === undefined) return;
  const words = last.text.slice(0, -symbol.length);
  into.splice(-1, 1, ...(words === '' ? [] : [{ ...last, text: words }]), {
    kind: 'words',
    text: symbol,
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

/** Normalises fixed words like the mail itself, but keeps the spaces at their ends. */
function plain(token: string): string {
  const words = token.replace(/\\(.)/gsu, '$1');
  const middle = normaliseText(words);
  if (middle === '') return ' ';
  return (/^\s/.test(words) ? ' ' : '') + middle + (/\s$/.test(words) ? ' ' : '');
}
