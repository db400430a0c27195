import type { Lined } from '../reading/find-splits.ts';
import { type Listed, readLead } from '../reading/read-lead.ts';
import { linesOf, rowsIn, type ShownRow } from '../reading/read-rows.ts';
import {
  channelOf,
  type DraftedTemplate,
  type DraftRefusal,
  draftSubject,
  saysCredit,
} from './draft-template.ts';
import { findMarks, type Marks, type Place } from './find-marks.ts';
import { findUnmarked, type Unmarked, writeWords } from './write-words.ts';

/** Lines of a heading over rows. */
const mostHeadingLines = 3;

/**
 * A mail that states one fact a row, as a template of rows: the marked values become slots, what a label calls a name
 * or a remark changes from mail to mail, and all other values stay as the bank prints them. Null where the marks stand
 * in no rows.
 */
export function draftRows(
  listed: Listed,
  { subject, said }: { subject: string; said: Lined },
  marks: Marks,
): DraftedTemplate | DraftRefusal | null {
  const places = findMarks(said.text, marks);
  if ('code' in places) return { outcome: 'refused', ...places };
  const amount = places.find(({ slot }) => slot === 'amount')!;
  const block = rowsIn(said).find(rows => rows.some(row => holds(row, amount)));
  if (block === undefined || !places.every(place => block.some(row => holds(row, place)))) return null;
  const heading = headingOver(listed, said, block);
  if (heading === null) return null;
  const rows: Record<string, string> = {};
  for (const row of block) {
    const written = writeRow(said.text, row, places, Object.values(rows).join(' '));
    if ('mark' in written) return { outcome: 'refused', code: 'unmarked', ...written };
    rows[written.label] = written.value;
  }
  const to = block.at(-1)!.value[1];
  const statement = said.text.slice(heading.from, to);
  if (!saysCredit.test(statement)) return { outcome: 'refused', code: 'no_credit_words' };
  return {
    outcome: 'drafted',
    body: writeWords(heading.text),
    rows,
    subject: draftSubject(subject, marks),
    channel: channelOf(statement),
    from: heading.from,
    to,
  };
}

function holds({ value }: ShownRow, place: Place): boolean {
  return place.from >= value[0] && place.to <= value[1];
}

/** The lines above the rows, up to the one that says that money came in; without such a one the nearest. */
function headingOver(listed: Listed, said: Lined, block: readonly ShownRow[]) {
  const above = linesOf(said.cells).filter(({ cells }) => cells.at(-1)![1] < block[0]!.from);
  let nearest: { from: number; text: string } | null = null;
  for (const { cells } of above.slice(-mostHeadingLines).reverse()) {
    const from = cells[0]![0];
    const { greets, unlisted } = readLead(listed, said.text.slice(from, cells.at(-1)![1]));
    if (unlisted === '') break;
    const start = cells.at(-1)![1] - unlisted.length;
    const text = said.text.slice(start, block[0]!.from).trimEnd();
    if (nearest === null || saysCredit.test(unlisted)) nearest = { from: start, text };
    if (greets || saysCredit.test(unlisted)) break;
  }
  return nearest;
}

function writeRow(
  text: string,
  row: ShownRow,
  places: readonly Place[],
  before: string,
): { label: string; value: string } | Unmarked {
  const label = writeWords(row.label);
  const own = places.filter(place => holds(row, place));
  const payers = own.find(({ slot }) => ['payer_name', 'payer_vpa', 'note'].includes(slot));
  if (payers) return { label: `[${label}]`, value: payers.slot === 'note' ? '{note}' : `[{${payers.slot}}]` };
  if (own.length > 0) {
    const starts = [row.value[0], ...own.map(place => place.to)];
    const value = starts.map((from, at) => {
      const place = own[at];
      return writeWords(text.slice(from, place?.from ?? row.value[1])) + (place ? `{${place.slot}}` : '');
    });
    return { label, value: value.join('') };
  }
  const shown = text.slice(...row.value);
  if (/remark|note|narration|purpose|message|comment|description/i.test(row.label))
    return { label: `[${label}]`, value: before.includes('{note}') ? '{text}' : '{note}' };
  if (/\bname\b|sender|payee|payer|from|beneficiary/i.test(row.label) && !shown.includes('@'))
    return { label: `[${label}]`, value: '{text}' };
  const unmarked = findUnmarked(shown, []);
  if (unmarked !== null) return unmarked;
  return { label, value: shown === '' ? '{text}' : writeWords(shown) };
}
