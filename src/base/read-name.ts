import { codePoints, isStorable } from './http/text.ts';

/** Returns a name for others to read; null if it is empty, too long, or `shownName` would change it. */
export function readName(text: string, most: number): string | null {
  const name = text.trim().replace(/\p{Zs}+/gu, ' ');
  return name !== '' && codePoints(name) <= most && isStorable(name) && shownName(name) === name
    ? name
    : null;
}

/** Removes invisible characters from a name that we cannot refuse. Returns '' if nothing readable is left. */
export function shownName(text?: string | null): string {
  const name = (text ?? '').replace(unseen, '').replace(strayMarks, '');
  return /[\p{L}\p{N}\p{Extended_Pictographic}]/u.test(name) ? name : '';
}

/** Joiners are allowed in the scripts of India, in Urdu and Sinhala, and inside emoji. */
const letter =
  '(?:(?=\\p{L}|\\p{M})[\\p{sc=Deva}\\p{sc=Beng}\\p{sc=Guru}\\p{sc=Gujr}\\p{sc=Orya}\\p{sc=Taml}\\p{sc=Telu}\\p{sc=Knda}\\p{sc=Mlym}\\p{sc=Sinh}\\p{sc=Mtei}\\p{sc=Arab}])';
const virama = '[\\u094d\\u09cd\\u0a4d\\u0acd\\u0b4d\\u0bcd\\u0c4d\\u0ccd\\u0d4d\\u0dca\\uabed]';
const joined = `(?<=${letter})[\\u200c\\u200d](?:(?=${letter})|(?<=${virama}.))`;
const emoji =
  '(?<=[\\p{Extended_Pictographic}\\p{Emoji_Modifier}\\ufe0f])\\u200d(?=\\p{Extended_Pictographic})|(?<=\\p{Extended_Pictographic})\\ufe0f|\\ufe0f(?=\\u20e3)';
/** Controls, direction marks, tags, fillers and symbols that look like a blank. */
const blank = '\\u2800\\ufffc\\u{13441}\\u{13442}\\u{16fe4}\\u{1d159}\\p{Default_Ignorable_Code_Point}';
const unseen = new RegExp(`(?!${joined}|${emoji})[${blank}\\p{Cc}\\p{Cf}\\p{Cs}\\p{Co}\\p{Zl}\\p{Zp}]`, 'gu');
/** A mark without a letter attaches to the text before the name, and a pile of marks covers other lines. */
const strayMarks = /(?<![^\s])\p{M}+|(?<=\p{M}{5})\p{M}+/gu;
