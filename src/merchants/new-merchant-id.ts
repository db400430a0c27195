import { randomBytes } from 'node:crypto';

/** Random, so that ids tell nothing about how many businesses there are; 48 bits, so that a number holds it. */
export function newMerchantId(): number {
  return randomBytes(6).readUIntBE(0, 6) || 1;
}
