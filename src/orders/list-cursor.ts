import { timingSafeEqual } from 'node:crypto';
import type { SecretBox } from '../base/secrets.ts';

/** Where a page ended. Signed and bound to the merchant: an edited or borrowed cursor is not valid (§4.3). */
export type ListPosition = { createdAt: Date; orderId: string };

const signatureBytes = 16;
const longestCursor = 200;

export function writeCursor(secrets: SecretBox, merchantId: number, { createdAt, orderId }: ListPosition) {
  const place = `${createdAt.getTime()}.${orderId}`;
  const signature = secrets.sign('list-cursor', `${merchantId}.${place}`).subarray(0, signatureBytes);
  return Buffer.concat([signature, Buffer.from(place)]).toString('base64url');
}

export function readCursor(secrets: SecretBox, merchantId: number, cursor: string): ListPosition | null {
  if (cursor.length > longestCursor || !/^[A-Za-z0-9_-]+$/.test(cursor)) return null;
  const bytes = Buffer.from(cursor, 'base64url');
  // One cursor, one spelling: the last character has bits that decoding ignores.
  if (bytes.length <= signatureBytes || bytes.toString('base64url') !== cursor) return null;
  const place = bytes.subarray(signatureBytes).toString('latin1');
  const given = bytes.subarray(0, signatureBytes);
  const genuine = secrets
    .signatures('list-cursor', `${merchantId}.${place}`)
    .some(signature => timingSafeEqual(signature.subarray(0, signatureBytes), given));
  const [, time, orderId] = /^(\d{1,15})\.(.+)$/.exec(place) ?? [];
  return genuine && time && orderId ? { createdAt: new Date(Number(time)), orderId } : null;
}
