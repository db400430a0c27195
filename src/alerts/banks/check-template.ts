import { fewestGuardLetters, flatten, letters, wordsBeside } from './compile-template.ts';
import { type Piece, TemplateError } from './parse-template.ts';
import { slots } from './slots.ts';

/** Refuses a body that could be read in two ways, or that lets a payer speak for the bank. */
export function checkBody(pieces: readonly Piece[], channel: 'upi' | 'imps' | 'any' | 'other'): void {
  const flat = flatten(pieces);
  const first = flat[0];
  if (first === undefined) throw new TemplateError('is empty');
  if (first.group !== null || first.piece.kind === 'slot')
    throw new TemplateError(
      `begins with ${inWords(first.piece)}: it must begin with fixed words of the bank`,
    );
  if (flat.some(({ piece }) => isSlot(piece, ['customer'])))
    throw new TemplateError('has {customer}, which belongs to a greeting');
  checkNeighbours(flat);
  checkOnce(flat);
  const amount = flat.findIndex(({ piece }) => piece.kind === 'slot' && piece.name === 'amount');
  if (amount < 0) throw new TemplateError('has no {amount}');
  if (flat[amount]!.group !== null) throw new TemplateError('has its {amount} inside an optional part');
  const stray = flat.find(({ piece }) => piece.kind === 'slot' && piece.name === 'other_channel');
  if (stray !== undefined && channel !== 'other')
    throw new TemplateError('has {other_channel} although its channel is not "other"');
  if (channel !== 'other') checkCredit(flat, amount);
}

/** An opening carries nothing on which money rests, nor a payer's words: listed, it would speak for the bank. */
export function checkOpening(pieces: readonly Piece[]): void {
  const flat = flatten(pieces);
  if (letters(flat.map(({ piece }) => piece)) === 0 && !flat.some(({ piece }) => isSlot(piece, ['date'])))
    throw new TemplateError('has no words');
  for (const { piece } of flat)
    if (
      piece.kind === 'slot' &&
      !isSlot(piece, ['customer', 'account', 'date', 'time', 'mobile', 'token', 'end'])
    )
      throw new TemplateError(`may not have ${inWords(piece)}`);
}

function isSlot(piece: Piece, names: readonly string[]): boolean {
  return piece.kind === 'slot' && names.includes(piece.name);
}

/** A subject names at most the facts that the body names again; a payer's words have no place in it. */
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

/** What pays an order: money stands before any payer's text, facts after it are led by words, direction is fixed. */
function checkCredit(flat: Flat, amount: number): void {
  const payer = flat.findIndex(({ piece }) => piece.kind === 'slot' && slots[piece.name]?.author === 'payer');
  if (payer >= 0 && payer < amount)
    throw new TemplateError(
      `has ${inWords(flat[payer]!.piece)} before {amount}: a payer could write an amount there`,
    );
  const beside = [...wordsBeside(flat, amount, -1), ...wordsBeside(flat, amount, 1)];
  if (letters(beside) < fewestGuardLetters)
    throw new TemplateError('has too few fixed words beside {amount}');
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
  const words = flat.map(({ piece }) => fixedText(piece)).join(' ');
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
