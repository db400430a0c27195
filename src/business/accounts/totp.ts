import { Secret, TOTP } from 'otpauth';
import { second } from '../../base/clock.ts';
import { productName } from '../../texts/name-platform.ts';

/** RFC 6238 as every authenticator app has it: SHA-1, six digits, thirty seconds. */
const period = 30;
const settings = { algorithm: 'SHA1', digits: 6, period };
const secretBytes = 20;
/** One step to either side: a phone's clock may be half a minute off. */
const window = 1;

export function newTotpSecret(): string {
  return new Secret({ size: secretBytes }).base32;
}

/** What the QR code holds. */
export function totpUri(secret: string, email: string): string {
  return new TOTP({
    ...settings,
    issuer: productName.en,
    label: email,
    secret: Secret.fromBase32(secret),
  }).toString();
}

/** The time step whose code this is, or null. Every step may be used once: the caller remembers the last one. */
export function totpStep(secret: string, code: string, now: Date): number | null {
  const token = code.replaceAll(/\s/g, '');
  if (!/^\d{6}$/.test(token)) return null;
  const totp = new TOTP({ ...settings, secret: Secret.fromBase32(secret) });
  const delta = totp.validate({ token, timestamp: now.getTime(), window });
  return delta === null ? null : Math.floor(now.getTime() / (period * second)) + delta;
}

export function totpBinding(merchantId: number, userId: string): string {
  return `merchant:${merchantId}:user:${userId}:totp`;
}
