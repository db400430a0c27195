import type { Order } from './order.ts';

/** An order became paid. `id` is the same for every delivery of this event. */
export type PaidEvent = { id: string; type: 'payment.paid'; timestamp: string; data: Order };
/** Sent by the button on the Integrations screen. No payment was made. */
export type TestEvent = { id: string; type: 'webhook.test'; timestamp: string; data: { message: string } };
/** Only if you asked for it: money came for this order that a person has to look at. It is not paid. */
export type ReviewEvent = { id: string; type: 'payment.review'; timestamp: string; data: Order };
/** Only if you asked for it: genuine money that belongs to no order as far as is known. */
export type UnmatchedEvent = {
  id: string;
  type: 'payment.unmatched';
  timestamp: string;
  data: UnmatchedCredit;
};

export type UnmatchedCredit = {
  credit_id: string;
  /** Rupees. */
  amount: number;
  bank_reference: string | null;
  payer: string | null;
  /** By the bank's clock. */
  paid_at: string;
  reason: 'no_order' | 'too_late' | 'extra_payment';
  /** The order that it came too late for, or paid once more. */
  order_id: string | null;
};

export type WebhookEvent = PaidEvent | ReviewEvent | UnmatchedEvent | TestEvent;

export type WebhookHeaders = Headers | Record<string, string | readonly string[] | undefined>;

export type VerifyOptions = {
  /** Seconds by which the sender's clock and yours may differ; 5 minutes when left out. */
  tolerance?: number;
  /** The present moment; the machine's clock when left out. */
  now?: Date;
};

export type WebhookRefusedReason =
  | 'missing_header'
  | 'malformed_header'
  | 'too_old'
  | 'too_new'
  | 'wrong_signature'
  | 'malformed_body';

/** The request did not come from Milaan, or not now, or not unchanged. Answer 400 and do nothing. */
export class WebhookRefused extends Error {
  override readonly name = 'WebhookRefused';
  readonly reason: WebhookRefusedReason;

  constructor(reason: WebhookRefusedReason, message: string) {
    super(message);
    this.reason = reason;
  }
}

const defaultTolerance = 5 * 60;
/** A sender makes one signature a secret; more than a handful is somebody making us work. */
const mostSignatures = 10;

/**
 * Verifies a webhook (Standard Webhooks: HMAC-SHA256 over `id.timestamp.body`) and returns its event, or throws
 * WebhookRefused. `rawBody` must be the bytes as they arrived: JSON that was parsed and written again differs.
 * Give the secrets that may sign, one or several; while a secret is rotated the service signs with both.
 */
export async function verifyWebhook(
  rawBody: Uint8Array | string,
  headers: WebhookHeaders,
  secret: string | readonly string[],
  { tolerance = defaultTolerance, now = new Date() }: VerifyOptions = {},
): Promise<WebhookEvent> {
  const body = bytesOf(rawBody);
  const keys = await Promise.all([secret].flat().map(importSecret));
  if (keys.length === 0) throw new TypeError('Milaan: no webhook secret given');
  const id = headerOf(headers, 'webhook-id');
  const timestamp = headerOf(headers, 'webhook-timestamp');
  const signatures = signaturesIn(headerOf(headers, 'webhook-signature'));
  checkTime(timestamp, tolerance, now);

  const signed = joined(new TextEncoder().encode(`${id}.${timestamp}.`), body);
  let isGenuine = false;
  for (const key of keys) {
    // subtle.verify compares in constant time.
    for (const signature of signatures) {
      if (await crypto.subtle.verify('HMAC', key, signature, signed)) isGenuine = true;
    }
  }
  if (!isGenuine) throw new WebhookRefused('wrong_signature', 'no signature fits the body and the secret');
  return eventFrom(id, body);
}

function bytesOf(rawBody: unknown): Uint8Array<ArrayBuffer> {
  if (typeof rawBody === 'string') return new TextEncoder().encode(rawBody);
  // Not by instanceof: test runners and edge runtimes have several realms, each with a Uint8Array of its own.
  if (ArrayBuffer.isView(rawBody)) {
    return new Uint8Array(new Uint8Array(rawBody.buffer, rawBody.byteOffset, rawBody.byteLength));
  }
  throw new TypeError(
    'Milaan: rawBody must be the bytes of the request as they arrived, not a parsed object; ' +
      'with Express use express.raw({ type: "application/json" }) on this route',
  );
}

/** Named through its maker: runtimes without the DOM's types know the function, not the name. */
type HmacKey = Awaited<ReturnType<typeof crypto.subtle.importKey>>;

async function importSecret(secret: string): Promise<HmacKey> {
  const key = typeof secret === 'string' ? fromBase64(secret.trim().replace(/^whsec_/, '')) : null;
  // An empty key would be one that everybody knows.
  if (key === null || key.length === 0) {
    throw new TypeError('Milaan: the webhook secret must be the whole text that begins with whsec_');
  }
  return await crypto.subtle.importKey('raw', key, { name: 'HMAC', hash: 'SHA-256' }, false, ['verify']);
}

function headerOf(headers: WebhookHeaders, name: string): string {
  const value = isHeaders(headers) ? headers.get(name) : plainHeader(headers, name);
  if (value === null || value === '')
    throw new WebhookRefused('missing_header', `there is no ${name} header`);
  return value;
}

function isHeaders(headers: WebhookHeaders): headers is Headers {
  return typeof headers.get === 'function';
}

/** Node and most frameworks write names in lower case; some keep what the sender wrote. */
function plainHeader(
  headers: Record<string, string | readonly string[] | undefined>,
  name: string,
): string | null {
  const found = Object.entries(headers).filter(([key]) => key.toLowerCase() === name);
  const values = found.flatMap(([, value]) => value ?? []);
  if (values.length > 1) throw new WebhookRefused('malformed_header', `${name} was sent more than once`);
  return values[0] ?? null;
}

/** `v1,<base64>`, several separated by spaces; other versions are passed over. */
function signaturesIn(header: string): Uint8Array<ArrayBuffer>[] {
  const given = header.split(' ').filter(part => part.startsWith('v1,'));
  if (given.length > mostSignatures) throw new WebhookRefused('malformed_header', 'too many signatures');
  return given.map(part => fromBase64(part.slice(3))).filter(signature => signature !== null);
}

function checkTime(timestamp: string, tolerance: number, now: Date): void {
  if (!/^\d{1,12}$/.test(timestamp)) {
    throw new WebhookRefused('malformed_header', 'webhook-timestamp is not a whole number of seconds');
  }
  const age = Math.floor(now.getTime() / 1000) - Number(timestamp);
  // Written so that a tolerance that is not a number refuses.
  if (!(age <= tolerance)) throw new WebhookRefused('too_old', `signed ${age} seconds ago`);
  if (!(-age <= tolerance)) throw new WebhookRefused('too_new', `signed ${-age} seconds ahead of our clock`);
}

function eventFrom(id: string, body: Uint8Array): WebhookEvent {
  let event: unknown;
  try {
    event = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(body));
  } catch {
    throw new WebhookRefused('malformed_body', 'the body is not JSON in UTF-8');
  }
  if (typeof event !== 'object' || event === null || typeof (event as WebhookEvent).type !== 'string') {
    throw new WebhookRefused('malformed_body', 'the body is not an event');
  }
  const { type, timestamp, data } = event as WebhookEvent;
  return { id, type, timestamp, data } as WebhookEvent;
}

function joined(first: Uint8Array, second: Uint8Array): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(first.length + second.length);
  bytes.set(first);
  bytes.set(second, first.length);
  return bytes;
}

function fromBase64(text: string): Uint8Array<ArrayBuffer> | null {
  if (!/^[A-Za-z0-9+/]*={0,2}$/.test(text)) return null;
  try {
    return Uint8Array.from(atob(text), character => character.charCodeAt(0));
  } catch {
    return null;
  }
}
