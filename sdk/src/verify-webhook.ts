import type { Order } from './order.ts';

/** An order became paid. `id` is the same for every delivery of this event. */
export type PaidEvent = { id: string; type: 'payment.paid'; timestamp: string; data: Order };
/** Sent by the button on the Integrations screen. No payment was made. */
export type TestEvent = { id: string; type: 'webhook.test'; timestamp: string; data: { message: string } };
/** Only if you asked for it: money came for this order that a person must check. It is not paid. */
export type ReviewEvent = { id: string; type: 'payment.review'; timestamp: string; data: Order };
/** Only if you asked for it: genuine money that belongs to no known order. */
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
  /** The bank's time. */
  paid_at: string;
  reason: 'no_order' | 'too_late' | 'extra_payment';
  /** The order that this money was too late for, or paid a second time. */
  order_id: string | null;
};

export type WebhookEvent = PaidEvent | ReviewEvent | UnmatchedEvent | TestEvent;

export type WebhookHeaders = Headers | Record<string, string | readonly string[] | undefined>;

export type VerifyOptions = {
  /** Seconds by which the sender's clock and yours may differ; 5 minutes when left out. */
  tolerance?: number;
  /** The present time; the machine's clock when left out. */
  now?: Date;
};

export type WebhookRefusedReason =
  | 'missing_header'
  | 'malformed_header'
  | 'too_old'
  | 'too_new'
  | 'wrong_signature'
  | 'malformed_body';

/** The request is not from Milaan, not recent, or was changed. Answer 400 and do nothing. */
export class WebhookRefused extends Error {
  override readonly name = 'WebhookRefused';
  readonly reason: WebhookRefusedReason;

  constructor(reason: WebhookRefusedReason, message: string) {
    super(message);
    this.reason = reason;
  }
}

const defaultTolerance = 5 * 60;
/** A sender makes one signature per secret. More than a handful only costs computing time. */
const mostSignatures = 10;

/**
 * Verifies a webhook (Standard Webhooks: HMAC-SHA256 over `id.timestamp.body`) and returns its event, or throws
 * WebhookRefused. `rawBody` must be the exact bytes: JSON that was parsed and written again differs. Give one secret or
 * several; during a rotation the service signs with both.
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
  // Not instanceof: test runners and edge runtimes have several realms, each with its own Uint8Array.
  if (ArrayBuffer.isView(rawBody)) {
    return new Uint8Array(new Uint8Array(rawBody.buffer, rawBody.byteOffset, rawBody.byteLength));
  }
  throw new TypeError(
    'Milaan: rawBody must be the bytes of the request as they arrived, not a parsed object; ' +
      'with Express use express.raw({ type: "application/json" }) on this route',
  );
}

/** Derived from the function: runtimes without the DOM's types know the function, but not the type's name. */
type HmacKey = Awaited<ReturnType<typeof crypto.subtle.importKey>>;

async function importSecret(secret: string): Promise<HmacKey> {
  const key = typeof secret === 'string' ? fromBase64(secret.trim().replace(/^whsec_/, '')) : null;
  // Anybody could sign with an empty key.
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

/** Node and most frameworks write names in lower case; some keep the sender's spelling. */
function plainHeader(
  headers: Record<string, string | readonly string[] | undefined>,
  name: string,
): string | null {
  const found = Object.entries(headers).filter(([key]) => key.toLowerCase() === name);
  const values = found.flatMap(([, value]) => value ?? []);
  if (values.length > 1) throw new WebhookRefused('malformed_header', `${name} was sent more than once`);
  return values[0] ?? null;
}

/** `v1,<base64>`, several separated by spaces; other versions are skipped. */
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
  // Written so that a tolerance that is not a number refuses the webhook.
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
