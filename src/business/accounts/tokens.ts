import { createHash } from 'node:crypto';
import { fromBase62, randomBase62, toBase62 } from '../../base/random.ts';

/** Nine characters name the business, so that only its rows are searched. 43 characters are 256 random bits. */
const merchantWidth = 9;
const randomWidth = 43;
const shape = /^[0-9A-Za-z]{52}$/;

export type PresentedToken = { merchantId: number; hash: Buffer };

export function newToken(merchantId: number): { token: string; hash: Buffer } {
  const token = toBase62(merchantId, merchantWidth) + randomBase62(randomWidth);
  return { token, hash: hashToken(token) };
}

/** Returns null for text that cannot be our token. */
export function readToken(text: string): PresentedToken | null {
  const merchantId = merchantOfAccountToken(text);
  return merchantId === null ? null : { merchantId, hash: hashToken(text) };
}

export function merchantOfAccountToken(text: string): number | null {
  return shape.test(text) ? fromBase62(text.slice(0, merchantWidth)) : null;
}

/** Plain SHA-256 is enough, because a random token cannot be guessed. */
function hashToken(token: string): Buffer {
  return createHash('sha256').update(token).digest();
}
