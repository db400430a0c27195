import { nfkc } from '../base/nfkc.ts';
import { westernDigits } from '../base/read-reference.ts';
import { hashOf } from '../payments/matching/erased-references.ts';

/** A value that identifies a person, in one form each: `upi rahul@okaxis`, `phone 9876543210`, `mail …`, `utr …`. */
export type PersonValue = string;

const mostValues = 10;
const longestValue = 200;
const mobile = '[6-9]\\d{9}';
/** A phone number with or without the country code or the leading zero. */
const wholePhone = new RegExp(`^(?:\\+?91|0)?(${mobile})$`);
const leadingPhone = new RegExp(`^(?:\\+?91|0)?(${mobile})(?!\\d)`);
/** Characters that can surround an address and are never inside one. */
const around = '\\s@"\'<>(),;:=\\\\[\\]/|&*{}?';
const wholeAddress = new RegExp(`^[^${around}]+@([a-z0-9][a-z0-9.-]*)$`);
/** Anchored at its first character: strangers write the text, which may be a million letters without a blank. */
const addresses = new RegExp(
  `(?<![^${around}])(?:(?:vpa|upi)-)?([^${around}]+)@([a-z0-9][a-z0-9-]*)((?:\\.[a-z0-9-]+)*)`,
  'gi',
);

/** Parses one or several values with commas between them. Null if one of them has none of the four kinds. */
export function readPersonValues(text: string): PersonValue[] | null {
  const typed = text
    .split(/[,;\n]+/)
    .map(one => one.trim().toLowerCase())
    .filter(one => one !== '');
  if (typed.length === 0 || typed.length > mostValues) return null;
  const values = new Set<PersonValue>();
  for (const one of typed) {
    const found = one.length > longestValue ? [] : kindsOf(one);
    if (found.length === 0) return null;
    for (const value of found) values.add(value);
  }
  return [...values];
}

function kindsOf(one: string): PersonValue[] {
  const address = wholeAddress.exec(one);
  if (address) return [`${address[1]!.includes('.') ? 'mail' : 'upi'} ${one}`];
  const solid = one.replace(/[\s-]/g, '');
  const phone = wholePhone.exec(solid)?.[1];
  const isReference = /^(?!0+$)[a-z0-9]{9,35}$/.test(solid) && /\d{6}/.test(solid) && solid.length !== 10;
  return [...(phone ? [`phone ${phone}`] : []), ...(isReference ? [`utr ${countedForm(solid)}`] : [])];
}

const phones = /(?<!\d)(?:\+?91[ .()-]{0,2}|0)?([6-9](?:[\s./_()\u2010-\u2015-]{0,3}\d){9})(?!\d)/g;
/** Encoded ASCII characters in URLs, HTML, JSON and mails. */
const encoded = /(?:%|=|(?<!\\)\\{1,4}u00|&#x)([2-7][0-9a-f]);?|&#(\d{2,3});|&nbsp;/gi;

/** Returns every value in a text, both as written and with encoded characters decoded. */
export function valuesIn(written: string): Set<PersonValue> {
  const text = westernDigits(nfkc(written).replace(/\p{Cf}/gu, ''));
  const decoded = text
    .replace(/=\r?\n/g, '')
    .replace(encoded, (_, hex?: string, code = '32') =>
      String.fromCharCode(hex ? Number.parseInt(hex, 16) : +code),
    );
  const found = new Set<PersonValue>();
  for (const reading of new Set([text, decoded])) addValues(found, reading);
  return found;
}

function addValues(found: Set<PersonValue>, text: string): void {
  for (const [whole, local, host, rest] of text.matchAll(addresses)) {
    const name = local!.toLowerCase();
    const upi = `upi ${name}@${host!.toLowerCase()}`;
    if (rest === '') found.add(upi).add(`upi ${whole.toLowerCase()}`);
    else found.add(`mail ${whole.toLowerCase()}`);
    // Here the next sentence begins without a blank before it.
    if (/^\.[A-Z]/.test(rest!)) found.add(upi);
    const phone = leadingPhone.exec(name)?.[1];
    if (phone) found.add(`phone ${phone}`);
  }
  const plain = text.toLowerCase();
  for (const [, phone] of plain.matchAll(phones)) found.add(`phone ${phone!.replace(/\D/g, '')}`);
  // Grouped digits as people write them; the number may begin at any group.
  for (const runs of [
    /([a-z0-9]{9,35})/g,
    /(?<!\d)(\d{9,35})(?!\d)/g,
    /(?<!\d)(?=(\d(?:[ .()-]{0,2}\d){11})(?!\d))/g,
  ])
    for (const [, run] of plain.matchAll(runs)) found.add(`utr ${countedForm(run!.replace(/[ .()-]/g, ''))}`);
}

/** The typed values, or only their hashes. This is plain data, so a worker thread can receive it. */
export type Seek =
  | { values: readonly PersonValue[] }
  | { hashes: readonly string[]; key: Uint8Array; merchantId: number };

export function hits(seek: Seek): (text: string) => boolean {
  const wanted = new Set('values' in seek ? seek.values : seek.hashes);
  const form = (value: PersonValue) =>
    'values' in seek ? value : hashValue(seek.key, seek.merchantId, value);
  return text => [...valuesIn(text)].some(value => wanted.has(form(value)));
}

/** Hashes a value with the key and the business, so nobody can see who was a customer of two. */
export function hashValue(key: Uint8Array, merchantId: number, value: PersonValue): string {
  return hashOf(key, `person ${merchantId} ${value}`);
}

/** The database searches for digits, or an address's longest part before the @, as signs may be encoded. */
export function needlesOf(seek: Seek): string[] | null {
  if ('hashes' in seek) return null;
  return seek.values.map(value => {
    const [kind, rest = ''] = value.split(/ (.*)/s);
    if (kind === 'utr') return rest.replace(/^0+/, '');
    const parts = rest.replace(/@.*/s, '').match(/[\p{L}\p{N}]+/gu) ?? [''];
    return parts.sort((a, b) => b.length - a.length)[0]!;
  });
}

/** The same form as in the column `counted_reference`. */
function countedForm(reference: string): string {
  return reference.replace(/^0+(?=\d)/, '').padStart(12, '0');
}
