import { randomBytes } from 'node:crypto';

const merchantBytes = 6;
const randomLength = 16;
const shape = /^[A-Za-z0-9_-]{30}$/;

/**
 * The unguessable part of payment_url: 128 random bits, with the merchant in front so that the order is looked up in
 * that merchant's rows alone. Nothing can be enumerated.
 */
export function newPayToken(merchantId: number): string {
  const bytes = Buffer.alloc(merchantBytes + randomLength);
  bytes.writeUIntBE(merchantId, 0, merchantBytes);
  randomBytes(randomLength).copy(bytes, merchantBytes);
  return bytes.toString('base64url');
}

/** The merchant that a token names, or null for text that is no token. The database decides whether it exists. */
export function merchantOfToken(token: string): number | null {
  return shape.test(token) ? Buffer.from(token, 'base64url').readUIntBE(0, merchantBytes) : null;
}
