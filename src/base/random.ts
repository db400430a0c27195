import { randomBytes, randomInt } from 'node:crypto';

const base62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

export function randomBase62(length: number): string {
  let text = '';
  while (text.length < length) {
    // 248 is the largest multiple of 62 in a byte; larger bytes would favour the first letters.
    for (const byte of randomBytes(length * 2)) {
      if (byte < 248 && text.length < length) text += base62[byte % 62];
    }
  }
  return text;
}

const idLength = 16;

export function randomId(kind: string): string {
  return `${kind}_${randomBase62(idLength)}`;
}

/** At most 14 digits, because `randomInt` draws up to 2^48. */
export function randomDigits(length: number): string {
  return String(randomInt(10 ** length)).padStart(length, '0');
}

export function toBase62(value: number, width: number): string {
  let rest = value;
  let text = '';
  for (let place = 0; place < width; place++) {
    text = base62[rest % 62] + text;
    rest = Math.floor(rest / 62);
  }
  return text;
}

/** Reverses `toBase62`; null for a character outside the alphabet. */
export function fromBase62(text: string): number | null {
  let value = 0;
  for (const character of text) {
    const digit = base62.indexOf(character);
    if (digit < 0) return null;
    value = value * 62 + digit;
  }
  return Number.isSafeInteger(value) ? value : null;
}
