import type { Guard, Part, Row } from './bank.ts';
import type { Piece } from './parse-template.ts';
import { currency, slots } from './slots.ts';

/**
 * Splits a body into the bank's words and the payer's slots, once for each way to print the optional parts that hold a
 * payer's text. The fullest way comes first. `weighPlace` decides where in the mail it may be.
 */
export function compileBody(pieces: readonly Piece[]): Part[][] {
  return waysToPrint(pieces).map(partsOf);
}

function waysToPrint(pieces: readonly Piece[]): Piece[][] {
  let ways: Piece[][] = [[]];
  for (const piece of pieces) {
    const hasPayers = piece.kind === 'optional' && piece.pieces.some(isPayers);
    const fuller = ways.map(way => [...way, ...(hasPayers ? piece.pieces : [piece])]);
    ways = hasPayers ? [...fuller, ...ways] : fuller;
  }
  return ways;
}

function partsOf(pieces: readonly Piece[]): Part[] {
  const parts: Part[] = [];
  let source = '(?<![\\p{L}\\p{N}])';
  const firstDate = pieces.find(piece => isSlot(piece, 'date'));
  for (const [at, piece] of pieces.entries()) {
    // A payer's text at the end already ends with its line or cell.
    if (isSlot(piece, 'end') && at === pieces.length - 1 && at > 0 && isPayers(pieces[at - 1]!)) break;
    if (isPayers(piece)) {
      parts.push({ kind: 'bank', pattern: new RegExp(source, 'dgu') }, { kind: 'payer', slot: piece.name });
      source = '';
    } else
      source += isSlot(piece, 'date') && pieces.indexOf(firstDate!) === at ? kept('date') : expression(piece);
  }
  if (source !== '') parts.push({ kind: 'bank', pattern: new RegExp(source, 'dgu') });
  // After a slash the payer's remark follows, whether the template says so or not.
  const last = pieces.at(-1);
  if (last?.kind === 'words' && last.text.endsWith('/')) parts.push({ kind: 'payer', slot: 'rest' });
  return parts;
}

/** Captures the bank's date, by which `maybe_counted` finds possible duplicates. */
function kept(name: string): string {
  return `(?<${name}>${slots[name]!.pattern})`;
}

/** A row has its label at the beginning of a line or cell. Its value may span several lines. */
export function compileRow(written: string, label: string, value: readonly Piece[]): Row {
  const source = value
    .map(piece => {
      if (isSlot(piece, 'date')) return kept('date');
      return isSlot(piece, 'note') ? '(?<note>[^]{0,32768})' : expression(piece);
    })
    .join('');
  const facts = factsOf(value);
  return {
    label,
    pattern: new RegExp(`^${fixed(label)}(?: ?: ?|$)`, 'u'),
    value: new RegExp(`^ ?(?:${source}) ?$`, 'du'),
    isRequired: !written.startsWith('['),
    isFree: value.length === 1 && isSlot(value[0]!, 'note', 'text'),
    isPayers: flatten(value).some(({ piece }) => isPayers(piece)),
    facts,
    mention: new RegExp(
      `(?<![\\p{L}\\p{N}])${fixed(label)}(?:${facts.length > 0 ? '(?![\\p{L}\\p{N}])' : ' ?:'})`,
      'u',
    ),
  };
}

export function factsOf(pieces: readonly Piece[]): string[] {
  return flatten(pieces).flatMap(({ piece }) =>
    piece.kind === 'slot' && slots[piece.name]?.author === 'fact' ? [piece.name] : [],
  );
}

export function isSlot(piece: Piece, ...names: readonly string[]): boolean {
  return piece.kind === 'slot' && names.includes(piece.name);
}

export function isPayers(piece: Piece): piece is Piece & { readonly kind: 'slot' } {
  return piece.kind === 'slot' && slots[piece.name]?.author === 'payer';
}

/** Matches the whole subject, but ignores a sign before it and a mark after it. An empty list matches any. */
export function compileSubject(subjects: readonly (readonly Piece[])[]): RegExp {
  const choices = subjects.map(pieces =>
    pieces.length === 0 ? '^' : `^${ornament}${pieces.map(expression).join('')}[.!]?$`,
  );
  return new RegExp(choices.join('|'), 'u');
}

/** An exclamation mark, an arrow or a picture: anything except letters, numbers and currency signs. */
const ornament = '[^\\p{L}\\p{N}\\p{Sc}]{0,8}';

/** A phrase that matches anywhere, in any letter case, for mails that are certainly no credit. */
export function compilePhrase(pieces: readonly Piece[]): RegExp {
  return new RegExp(pieces.map(expression).join(''), 'iu');
}

/** A greeting or an opening, matched at one position of a line; it does not end inside a word. */
export function compileOpening(pieces: readonly Piece[]): RegExp {
  // An opening has no facts: its slots are not captured, so the same slot may occur twice.
  const source = pieces
    .map(expression)
    .join('')
    .replace(/\(\?<[a-z_]+>/g, '(?:');
  return new RegExp(`(?:${source})(?:(?<![\\p{L}\\p{N}])|(?![\\p{L}\\p{N}]))`, 'uy');
}

/**
 * The fixed words next to each fact. A payer who repeats them would offer a second value. So a mail is unreadable
 * unless each guard occurs exactly as often as in the template.
 */
export function compileGuards(pieces: readonly Piece[]): Guard[] {
  const flat = flatten(pieces);
  return flat.flatMap(({ piece, group }, at) => {
    if (piece.kind !== 'slot' || slots[piece.name]?.author !== 'fact') return [];
    // An optional fact before any payer's text is found in its place or not at all, so it needs no guard.
    if (group !== null && !flat.slice(0, at).some(before => isPayers(before.piece))) return [];
    const sources =
      group === null
        ? [guardSource(piece.name, wordsBeside(flat, at, -1), wordsBeside(flat, at, 1))]
        : optionalSources(flat, at, group);
    return sources.flatMap(source =>
      source === null ? [] : [{ slot: piece.name, pattern: new RegExp(source, 'giu') }],
    );
  });
}

/** The words before each fact after a payer's text, with its value. The source must have no other value. */
export function compileLeads(pieces: readonly Piece[]): Guard[] {
  const flat = flatten(pieces);
  return flat.flatMap(({ piece }, at) => {
    if (piece.kind !== 'slot' || slots[piece.name]?.author !== 'fact') return [];
    if (!flat.slice(0, at).some(before => isPayers(before.piece))) return [];
    const words = wordsBeside(flat, at, -1);
    return letters(words) < fewestGuardLetters ? [] : [lead(piece.name, words.map(expression).join(''))];
  });
}

/** The same for a row, whose label leads to its facts. */
export function compileRowLeads(label: string, value: readonly Piece[]): Guard[] {
  return value.flatMap((piece, at) =>
    piece.kind === 'slot' &&
    slots[piece.name]?.author === 'fact' &&
    !value.slice(0, at).some(one => one.kind === 'slot')
      ? [lead(piece.name, `${fixed(label)}[ :]{0,4}${value.slice(0, at).map(expression).join('')}`)]
      : [],
  );
}

function lead(slot: string, words: string): Guard {
  return { slot, pattern: new RegExp(`${words} ?(?<value>${slots[slot]!.pattern})`, 'gu') };
}

/** An optional fact is guarded by the words that open its part and by those directly before it. */
function optionalSources(flat: readonly Placed[], at: number, group: number): string[] {
  const opening = flat.find(placed => placed.group === group && placed.piece.kind !== 'slot');
  const leading = wordsBeside(flat, at, -1).filter(piece =>
    flat.some(p => p.piece === piece && p.group === group),
  );
  const sources = [opening === undefined ? [] : [opening.piece], leading].filter(
    words => letters(words) >= fewestGuardLetters,
  );
  return [...new Set(sources.map(words => words.map(expression).join('')))];
}

/** Words this long are never there by chance; shorter ones count only together with a value. */
const distinctiveLetters = 12;
export const fewestGuardLetters = 3;

function guardSource(slot: string, before: readonly Piece[], after: readonly Piece[]): string | null {
  const gap = slots[slot]?.pattern ?? '';
  const [left, right] = [before, after].map(words => words.map(expression).join(''));
  const best = Math.max(letters(before), letters(after));
  if (best < fewestGuardLetters) return null;
  const leads =
    letters(before) >= letters(after) || (slot !== 'amount' && letters(before) >= fewestGuardLetters);
  if (slot !== 'account' && (leads ? letters(before) : letters(after)) >= distinctiveLetters)
    return `${leads ? left : right}`;
  return leads ? `${left}${gap}` : `${gap}${right}`;
}

type Placed = { readonly piece: Piece; readonly group: number | null };

/** The pieces in reading order, each with its optional part. */
export function flatten(pieces: readonly Piece[]): Placed[] {
  return pieces.flatMap((piece, at): Placed[] =>
    piece.kind === 'optional'
      ? piece.pieces.map(inner => ({ piece: inner, group: at }))
      : [{ piece, group: null }],
  );
}

/** The fixed words that are next to a slot whenever the slot is there. */
export function wordsBeside(flat: readonly Placed[], at: number, step: 1 | -1): Piece[] {
  const found: Piece[] = [];
  for (let next = at + step; next >= 0 && next < flat.length; next += step) {
    const { piece, group } = flat[next]!;
    if (piece.kind === 'slot' || (group !== null && group !== flat[at]!.group)) break;
    if (step === 1) found.push(piece);
    else found.unshift(piece);
  }
  return found;
}

export function letters(pieces: readonly Piece[]): number {
  const texts = pieces.map(piece => {
    if (piece.kind === 'words') return piece.text;
    if (piece.kind === 'either') return piece.choices.reduce((a, b) => (a.length < b.length ? a : b));
    return '';
  });
  return texts.join('').match(/\p{L}/gu)?.length ?? 0;
}

function expression(piece: Piece): string {
  switch (piece.kind) {
    case 'words':
      return piece.isCurrency ? currency : fixed(piece.text);
    case 'either':
      return `(?:${piece.choices.map(fixed).join('|')})`;
    case 'optional':
      return `(?:${piece.pieces.map(expression).join('')})?`;
    case 'slot': {
      const slot = slots[piece.name]!;
      return slot.author === 'bank' ? `(?:${slot.pattern})` : `(?<${piece.name}>${slot.pattern})`;
    }
  }
}

/**
 * Matches fixed words exactly, except for differences that come from a mail's layout. A space may be a line's end, and
 * is optional after punctuation, after a rupee sign and around a colon. Apostrophes and dashes match all forms.
 * Letters match in either case, because banks mix `A/c` and `A/C`; the flag `i` would double the work for every class
 * of a slot.
 */
function fixed(words: string): string {
  return words
    .replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&')
    .replace(/[A-Za-z]/g, letter => `[${letter.toUpperCase()}${letter.toLowerCase()}]`)
    .replace(/['’]/g, "['’]")
    .replace(/[-–—]/g, '[-–—]')
    .replace(/([,;!₹]|\\\.|\\\?) ?/g, '$1 ?')
    .replace(/ ?: ?/g, ' ?: ?')
    .replaceAll(' ', '[ \\n]');
}
