import { hash } from 'node:crypto';
import { crc32 } from 'node:zlib';
import { fromBase62, randomBase62, toBase62 } from '../../base/random.ts';

/**
 * `ml_live_` or `ml_test_`, 32 characters of base 62, and a checksum of six. The first nine of the 32 carry the
 * merchant, so that a key is looked up in that merchant's rows alone; the other 23 are 137 random bits.
 */
const merchantWidth = 9;
const randomWidth = 23;
const checksumWidth = 6;
const shape = /^ml_(?:live|test)_[0-9A-Za-z]{38}$/;

/** `hash` as PostgreSQL reads bytes. */
export type PresentedKey = { merchantId: number; hash: string };

export function newApiKey(merchantId: number, mode: 'live' | 'test'): string {
  const stem = `ml_${mode}_${toBase62(merchantId, merchantWidth)}${randomBase62(randomWidth)}`;
  return stem + checksum(stem);
}

/** What a key says of itself, or null for text that cannot be a key of ours: a typing mistake costs no query. */
export function readApiKey(text: string): PresentedKey | null {
  if (!shape.test(text) || checksum(text.slice(0, -checksumWidth)) !== text.slice(-checksumWidth))
    return null;
  const merchantId = merchantIn(text);
  return merchantId === null ? null : { merchantId, hash: hashApiKey(text) };
}

/** Whose rows it is to be looked up in; null for what has not even the shape of a key. */
export function merchantOfKey(text: string): number | null {
  return shape.test(text) ? merchantIn(text) : null;
}

function merchantIn(key: string): number | null {
  return fromBase62(key.slice('ml_live_'.length, 'ml_live_'.length + merchantWidth));
}

/** Plain SHA-256: the key is random, so there is nothing to guess that a slow hash would protect. */
export function hashApiKey(key: string): string {
  return `\\x${hash('sha256', key, 'hex')}`;
}

function checksum(stem: string): string {
  return toBase62(crc32(stem), checksumWidth);
}
