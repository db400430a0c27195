import { currency, slots } from '../banks/slots.ts';
import { normaliseText } from '../mail/plain-text.ts';

/** The values that a person can select in a mail: the greeted `customer`, and the payment's facts. */
export const selectionNames = [
  'amount',
  'account',
  'reference',
  'payer_name',
  'payer_vpa',
  'payee_vpa',
  'note',
  'customer',
] as const;
export type SelectionName = (typeof selectionNames)[number];
/** Each value as the mail prints it. */
export type Selections = Readonly<Partial<Record<SelectionName, string>>>;

export type Place = { readonly slot: string; readonly from: number; readonly to: number };

export type SelectionRefusal =
  | { readonly code: 'mark_missing'; readonly name: SelectionName }
  | { readonly code: 'mark_odd'; readonly name: SelectionName; readonly value: string }
  | { readonly code: 'mark_not_found'; readonly name: SelectionName; readonly value: string }
  | { readonly code: 'marks_overlap' };

/**
 * Finds the places of the marked values. A value may be printed more than once, such as an amount that a heading
 * repeats. The amount's place with the other values closest to it is chosen.
 */
export function findSelections(text: string, chosen: Selections): Place[] | SelectionRefusal {
  const wanted: { name: SelectionName; slot: string; places: Place[] }[] = [];
  for (const name of selectionNames) {
    const value = cleaned(name, chosen[name] ?? '');
    if (name === 'customer' || value === '') continue;
    const slot = slotFor(name, value);
    if (slot === null) return { code: 'mark_odd', name, value };
    const places = placesIn(text, slot, value);
    if (places.length === 0) return { code: 'mark_not_found', name, value };
    wanted.push({ name, slot, places });
  }
  const amounts = wanted.find(({ name }) => name === 'amount')?.places;
  if (amounts === undefined) return { code: 'mark_missing', name: 'amount' };
  const groups = amounts.map(amount =>
    wanted
      .map(({ name, places }) => (name === 'amount' ? amount : nearest(places, amount)))
      .sort((one, other) => one.from - other.from),
  );
  const best = groups.reduce((one, other) => (spanOf(other) < spanOf(one) ? other : one));
  if (best.some((place, at) => at > 0 && place.from < best[at - 1]!.to)) return { code: 'marks_overlap' };
  return best;
}

/** People may type the value with or without the rupee sign, and with any blanks. */
function cleaned(name: SelectionName, typed: string): string {
  const value = normaliseText(typed);
  if (name === 'amount') return value.replace(new RegExp(`^${currency}`, 'u'), '');
  return name === 'reference' ? value.replace(/[.,]$/, '') : value;
}

/** Null for a value that its slot would never accept: then something else was marked. */
function slotFor(name: SelectionName, value: string): string | null {
  const slot = name === 'reference' && !/^[0-9]+$/.test(value) ? 'utr' : name;
  return new RegExp(`^(?:${slots[slot]!.pattern})$`, 'u').test(value) ? slot : null;
}

/** Every place of one value in a text, for a subject that repeats it. */
export function placesOf(text: string, name: SelectionName, typed: string): Place[] {
  const value = cleaned(name, typed);
  const slot = slotFor(name, value);
  return slot === null ? [] : placesIn(text, slot, value);
}

function placesIn(text: string, slot: string, value: string): Place[] {
  const places: Place[] = [];
  for (let from = text.indexOf(value); from >= 0; from = text.indexOf(value, from + 1)) {
    const to = from + value.length;
    if (isInsideWord(text, from, to)) continue;
    const mask = slot === 'account' ? maskBefore.exec(text.slice(0, from))?.[0].length : 0;
    places.push({ slot, from: from - (mask ?? 0), to });
  }
  return places;
}

/** A part of a longer number or word is another value; a mask before digits belongs to them. */
function isInsideWord(text: string, from: number, to: number): boolean {
  const before = text.slice(0, from);
  const isCut = /[\p{L}\p{N}]$/u.test(before) && /^[\p{L}\p{N}]/u.test(text.slice(from));
  return (isCut && !maskBefore.test(before)) || /^(?:[\p{L}\p{N}]|[.,]\p{N})/u.test(text.slice(to));
}

/** The part of a masked account that was not typed: `XX`, `****`, `15XXXXXX`, `XXXX XXXX `. */
const maskBefore = /(?<![\p{L}\p{N}])(?:[0-9]{1,6}[0-9-]{0,8})?[Xx*N][Xx*N -]{0,19}$/u;

function nearest(places: readonly Place[], { from, to }: Place): Place {
  const distance = (place: Place) => (place.from >= to ? place.from - to : from - place.to);
  return places.reduce((one, other) => (Math.abs(distance(other)) < Math.abs(distance(one)) ? other : one));
}

function spanOf(places: readonly Place[]): number {
  return places.at(-1)!.to - places[0]!.from;
}
