import { hash } from 'node:crypto';
import { crc32 } from 'node:zlib';
import { fromBase62, randomBase62, toBase62 } from '../../base/random.ts';

/**
 * `ml_live_` or `ml_test_`, 32 base-62 characters and a checksum of six. The first nine name the merchant, so that only
 * its rows are searched. The other 23 are 137 random bits.
 */
const merchantWidth = 9;
const randomWidth = 23;
const checksumWidth = 6;
const shape = /^ml_(?:live|test)_[0-9A-Za-z]{38}$/;

/** `hash` in PostgreSQL's text form of bytea. */
export type PresentedKey = { merchantId: number; hash: string };

export function newApiKey(merchantId: number, mode: 'live' | 'test'): string {
  const stem = `ml_${mode}_${toBase62(merchantId, merchantWidth)}${randomBase62(randomWidth)}`;
  return stem + checksum(stem);
}

/** Returns null for text that cannot be our key, so that a typo costs no query. */
export function readApiKey(text: string): PresentedKey | null {
  if (!shape.test(text) || checksum(text.slice(0, -checksumWidth)) !== text.slice(-checksumWidth))
    return null;
  const merchantId = merchantIn(text);
  return merchantId === null ? null : { merchantId, hash: hashApiKey(text) };
}

export function merchantOfKey(text: string): number | null {
  return shape.test(text) ? merchantIn(text) : null;
}

function merchantIn(key: string): number | null {
  return fromBase62(key.slice('ml_live_'.length, 'ml_live_'.length + merchantWidth));
}

/** Plain SHA-256 is enough, because a random key cannot be guessed. */
export function hashApiKey(key: string): string {
  return `\\x${hash('sha256', key, 'hex')}`;
}

function checksum(stem: string): string {
  return toBase62(crc32(stem), checksumWidth);
}
