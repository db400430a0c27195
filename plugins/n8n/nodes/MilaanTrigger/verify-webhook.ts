import { createHmac, timingSafeEqual } from 'node:crypto';

export type WebhookEvent = { id: string; type: string; timestamp: unknown; data: unknown };
export type Verified = { event: WebhookEvent } | { refused: string };

type Headers = Record<string, string | string[] | undefined>;

const toleranceSeconds = 300;
/** A sender makes one signature per secret. More than a handful only costs computing time. */
const mostSignatures = 10;
const longestBody = 256 * 1024;

/**
 * Standard Webhooks: HMAC-SHA256 over `id.timestamp.body`, with the exact bytes. The same rules as in Milaan's own
 * clients, written again because a community node must have no dependencies.
 */
export function verifyWebhook(rawBody: Uint8Array, headers: Headers, secret: string, now: Date): Verified {
  const key = decode(secret.trim().replace(/^whsec_/, ''));
  // Anybody could sign with an empty key.
  if (key === null || key.length === 0) return { refused: 'no_secret' };
  const [id, time, given] = ['webhook-id', 'webhook-timestamp', 'webhook-signature'].map(
    name => headers[name],
  );
  if (!id || !time || !given) return { refused: 'missing_header' };
  if (
    typeof id !== 'string' ||
    typeof time !== 'string' ||
    typeof given !== 'string' ||
    !/^\d{1,12}$/.test(time)
  )
    return { refused: 'malformed_header' };
  const age = Math.floor(now.getTime() / 1000) - Number(time);
  if (age > toleranceSeconds) return { refused: 'too_old' };
  if (-age > toleranceSeconds) return { refused: 'too_new' };
  const signatures = given.split(' ').filter(part => part.startsWith('v1,'));
  if (signatures.length > mostSignatures || rawBody.length > longestBody)
    return { refused: 'malformed_header' };
  const expected = createHmac('sha256', key).update(`${id}.${time}.`).update(rawBody).digest();
  const isGenuine = signatures.some(part => {
    const signature = decode(part.slice(3));
    return signature?.length === expected.length && timingSafeEqual(signature, expected);
  });
  return isGenuine ? read(id, rawBody) : { refused: 'wrong_signature' };
}

function read(id: string, rawBody: Uint8Array): Verified {
  try {
    const event = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(rawBody)) as WebhookEvent;
    if (typeof event === 'object' && event !== null && typeof event.type === 'string')
      return { event: { id, type: event.type, timestamp: event.timestamp, data: event.data } };
  } catch {
    // Signed, but no event: refused below.
  }
  return { refused: 'malformed_body' };
}

function decode(text: string): Buffer | null {
  return /^[A-Za-z0-9+/]*={0,2}$/.test(text) ? Buffer.from(text, 'base64') : null;
}
