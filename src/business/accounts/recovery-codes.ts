import { createHash, randomInt } from 'node:crypto';

/** Without letters and digits that are taken for each other. 16 of 31 are 79 bits: nothing to guess, so a plain hash. */
const alphabet = 'abcdefghjkmnpqrstuvwxyz23456789';
const length = 16;
const group = 4;
const howMany = 10;

/** Codes for the day the phone is gone; each opens the second step once. */
export function newRecoveryCodes(): string[] {
  return Array.from({ length: howMany }, () => {
    const letters = Array.from({ length }, () => alphabet[randomInt(alphabet.length)]).join('');
    return letters.match(new RegExp(`.{${group}}`, 'g'))!.join('-');
  });
}

/** However it was typed. Null for text that cannot be a code. */
export function hashRecoveryCode(text: string): Buffer | null {
  const letters = text.toLowerCase().replaceAll(/[\s-]/g, '');
  if (letters.length !== length) return null;
  return createHash('sha256').update(`recovery code\n${letters}`).digest();
}
