import { createHash } from 'node:crypto';
import { randomBase62 } from '../random.ts';

const hashLength = 32;

/** Derived, so that the same payment found again after a restored backup is the same event to the receiver. */
export function derivedEventId(merchantId: number, orderId: string, type: string): string {
  const hash = createHash('sha256').update(`${merchantId}\n${orderId}\n${type}`).digest('hex');
  return `evt_${hash.slice(0, hashLength)}`;
}

export function randomEventId(): string {
  return `evt_${randomBase62(hashLength)}`;
}
