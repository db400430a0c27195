import type { Template } from './bank.ts';
import {
  factsOf,
  fewestGuardLetters,
  flatten,
  isPayers,
  isSlot,
  letters,
  wordsBeside,
} from './compile-template.ts';
import { type Piece, TemplateError } from './parse-template.ts';
import { slots } from './slots.ts';

/** Refuses a body that could be read in two ways, or that lets a payer speak for the bank. */
export function checkBody(pieces: readonly Piece[], channel: Channel): void {
  const flat = flatten(pieces);
  const first = flat[0];
  if (first === undefined) throw new TemplateError('is empty');
  if (first.group !== null || first.piece.kind === 'slot')
    throw new TemplateError(
      `begins with ${inWords(first.piece)}: it must begin with fixed words of the bank`,
    );
  if (flat.some(({ piece }) => isSlot(piece, 'customer')))
    throw new TemplateError('has {customer}, which belongs to a greeting');
  if (flat.some(({ piece }) => isSlot(piece, 'text')))
    throw new TemplateError('has {text}, which belongs to rows');
  const groups = new Set(
    flat.flatMap(({ piece, group }) => (group !== null && isPayers(piece) ? [group] : [])),
  );
  if (groups.size > mostPayersGroups)
    throw new TemplateError(`has more than ${mostPayersGroups} optional parts with a payer's text`);
  const rest = flat.findIndex(({ piece }) => isSlot(piece, 'rest'));
  if (rest >= 0 && (rest < flat.length - 1 || flat[rest]!.group !== null))
    throw new TemplateError('has words behind {rest}, which goes to the end of its line');
  checkNeighbours(flat);
  checkOnce(flat);
  const amount = flat.findIndex(({ piece }) => isSlot(piece, 'amount'));
  if (amount < 0) throw new TemplateError('has no {amount}');
  if (flat[amount]!.group !== null) throw new TemplateError('has its {amount} inside an optional part');
  if (channel !== 'other' && flat.some(({ piece }) => isSlot(piece, 'other_channel')))
    throw new TemplateError('has {other_channel} although its channel is not "other"');
  if (channel !== 'other') checkCredit(flat, amount);
}

/** Each such part doubles the ways in which a text can be split. */
const mostPayersGroups = 4;

type Channel = Template['channel'];
type WrittenRow = { readonly written: string; readonly label: string; readonly value: readonly Piece[] };

/** The heading over rows contains only the bank's words, and enough of them to be recognised. */
export function checkHeading(pieces: readonly Piece[]): void {
  const flat = flatten(pieces);
  if (flat[0] === undefined || flat[0].group !== null || flat[0].piece.kind === 'slot')
    throw new TemplateError('must begin with fixed words of the bank');
  if (letters(flat.map(({ piece }) => piece)) < fewestHeadingLetters)
    throw new TemplateError('is too short for a heading over rows');
  if (flat.some(({ piece }) => isPayers(piece) || isSlot(piece, 'amount', 'customer')))
    throw new TemplateError("has {amount} or a payer's text: with rows it is only their heading");
}

const fewestHeadingLetters = 12;

/** Refuses rows that could be read in two ways, or that let a payer speak for the bank. */
export function checkRows(heading: readonly Piece[], rows: readonly WrittenRow[], channel: Channel): void {
  const labels = rows.map(({ label }) => label.toLowerCase());
  for (const [at, label] of labels.entries()) {
    if (!/\p{L}/u.test(label)) throw new TemplateError(`have a label without letters`);
    if (labels.indexOf(label) < at) throw new TemplateError(`have the label "${label}" twice`);
  }
  for (const { written, label, value } of rows) checkRow(written, label, flatten(value));
  const all = [...flatten(heading), ...rows.flatMap(({ value }) => flatten(value))];
  checkOnce(all.filter(({ piece }) => !isSlot(piece, 'text')));
  if (!all.some(({ piece }) => isSlot(piece, 'amount'))) throw new TemplateError('have no {amount}');
  if (channel !== 'other') checkDirection([...all.map(({ piece }) => fixedText(piece)), ...labels].join(' '));
  const payers = rows.findIndex(({ value }) => flatten(value).some(({ piece }) => isPayers(piece)));
  const money = rows.findLastIndex(({ value }) => factsOf(value).some(isMoney));
  if (payers >= 0 && payers < money) throw new TemplateError(payersAbove(rows[payers]!, rows[money]!));
}

/** Every fact except the reference says how much money came, or to whom. */
export function isMoney(fact: string): boolean {
  return fact !== 'reference' && fact !== 'utr';
}

type Labelled = { readonly label: string };

/** If the bank does not escape a name, it can be markup that ends its own row and hides the bank's rows. */
export function payersAbove(payers: Labelled, money: Labelled): string {
  return `have the payer's words ("${payers.label}") above "${money.label}": a payer could write a row of their own there, with another amount or account`;
}

function checkRow(written: string, label: string, flat: Flat): void {
  if (flat.some(({ piece }) => isSlot(piece, 'customer', 'end', 'gap')))
    throw new TemplateError(`have a slot in "${label}" that belongs elsewhere`);
  checkNeighbours(flat);
  const facts = flat.flatMap(({ piece }, at) =>
    piece.kind === 'slot' && slots[piece.name]?.author === 'fact' ? [at] : [],
  );
  if (facts.some(at => flat[at]!.group !== null) || (facts.length > 0 && written.startsWith('[')))
    throw new TemplateError(`have a fact in "${label}" that may be missing`);
  const payer = flat.findIndex(({ piece }) => isPayers(piece));
  if (payer >= 0 && facts.some(at => at > payer))
    throw new TemplateError(`have a payer's text before a fact in "${label}"`);
}

/** An opening has no facts and no payer's words, because a listed opening speaks for the bank. */
export function checkOpening(pieces: readonly Piece[]): void {
  checkSlots(pieces);
  if (endsOf(pieces).some(announces))
    throw new TemplateError('ends as if somebody else’s words followed: below it a quotation would pay');
}

export function checkSlots(pieces: readonly Piece[]): void {
  const flat = flatten(pieces);
  if (letters(flat.map(({ piece }) => piece)) === 0 && !flat.some(({ piece }) => isSlot(piece, 'date')))
    throw new TemplateError('has no words');
  for (const { piece } of flat)
    if (
      piece.kind === 'slot' &&
      !isSlot(piece, 'customer', 'account', 'date', 'time', 'mobile', 'token', 'end')
    )
      throw new TemplateError(`may not have ${inWords(piece)}`);
}

/**
 * Somebody else's words follow a colon, an open bracket or a quotation mark, and a dash or an ellipsis behind words. A
 * line of dashes alone only separates.
 */
export function announces(line: string): boolean {
  const punctuation = line.replace(/^.*[\p{L}\p{N}]/su, '');
  if (/[:∶꞉ː\(\[\{"'“”‘’«»‹›„‚`>][\s.…*_•\p{Pd}\p{C}\p{M}[\p{S}--[∶꞉`>]]]*$/v.test(line)) return true;
  return punctuation !== line && /[\p{Pd}−˗⁃─━⎯➖~…⋯‥᠁]|\. ?\./u.test(punctuation);
}

/** The fixed words with which a line may end; a slot's value counts as a letter. */
function endsOf(pieces: readonly Piece[]): string[] {
  const last = pieces.at(-1);
  const before = pieces.slice(0, -1);
  if (last === undefined) return [];
  if (last.kind === 'slot') return isSlot(last, 'end') ? endsOf(before) : ['x'];
  if (last.kind === 'optional') return [...endsOf([...before, ...last.pieces]), ...endsOf(before)];
  const ends = last.kind === 'words' ? [last.text] : last.choices;
  // Marks alone, as in `{:| -}`, end the words before them.
  return ends.flatMap(end =>
    /\p{L}/u.test(end) || announces(end) ? [end] : endsOf(before).map(one => one + end),
  );
}

/** A subject may only name facts that the body also names, and no payer's words. */
export function checkSubject(pieces: readonly Piece[]): void {
  for (const { piece } of flatten(pieces))
    if (piece.kind === 'slot' && !['amount', 'account', 'reference', 'date', 'time'].includes(piece.name))
      throw new TemplateError(`may not have ${inWords(piece)}`);
  checkOnce(flatten(pieces));
}

type Flat = ReturnType<typeof flatten>;

function checkNeighbours(flat: Flat): void {
  flat.forEach(({ piece }, at) => {
    const next = flat[at + 1]?.piece;
    if (piece.kind === 'slot' && next?.kind === 'slot' && next.name !== 'end')
      throw new TemplateError(`has no fixed words between {${piece.name}} and {${next.name}}`);
  });
}

function checkOnce(flat: Flat): void {
  const seen = new Set<string>();
  for (const { piece } of flat) {
    if (piece.kind !== 'slot' || slots[piece.name]?.author === 'bank') continue;
    if (seen.has(piece.name)) throw new TemplateError(`has {${piece.name}} twice`);
    seen.add(piece.name);
  }
  if (seen.has('reference') && seen.has('utr')) throw new TemplateError('has both {reference} and {utr}');
}

/** The money comes before any payer's text, fixed words lead to later facts, and the direction is fixed. */
function checkCredit(flat: Flat, amount: number): void {
  const payer = flat.findIndex(({ piece }) => isPayers(piece));
  if (payer >= 0 && payer < amount)
    throw new TemplateError(
      `has ${inWords(flat[payer]!.piece)} before {amount}: a payer could write an amount there`,
    );
  const beside = [...wordsBeside(flat, amount, -1), ...wordsBeside(flat, amount, 1)];
  if (letters(beside) < fewestGuardLetters)
    throw new TemplateError('has too few fixed words next to {amount}');
  flat.forEach(({ piece, group }, at) => {
    if (piece.kind !== 'slot' || slots[piece.name]?.author !== 'fact') return;
    const own = wordsBeside(flat, at, -1).filter(words =>
      flat.some(p => p.piece === words && p.group === group),
    );
    if (group !== null && letters(own) < fewestGuardLetters)
      throw new TemplateError(
        `has {${piece.name}} in an optional part without fixed words of its own before it`,
      );
    if (payer >= 0 && at > payer && letters(wordsBeside(flat, at, -1)) < fewestGuardLetters)
      throw new TemplateError(`has too few fixed words between a payer's text and {${piece.name}}`);
  });
  checkDirection(flat.map(({ piece }) => fixedText(piece)).join(' '));
}

function checkDirection(words: string): void {
  if (!/credit|receiv|added|deposit/i.test(words))
    throw new TemplateError('does not say in its fixed words that money came in (credited, received …)');
  const outgoing =
    /debited|deducted|withdrawn|spent|revers|refund|failed|declined|requested|loan a|credit card/i;
  const wrong = outgoing.exec(words);
  if (wrong !== null)
    throw new TemplateError(`says "${wrong[0]}" in its fixed words, which is no incoming payment`);
}

function fixedText(piece: Piece): string {
  if (piece.kind === 'words') return piece.text;
  return piece.kind === 'either' ? piece.choices.join(' ') : '';
}

function inWords(piece: Piece): string {
  return piece.kind === 'slot' ? `{${piece.name}}` : 'an optional part';
}
