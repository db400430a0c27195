/**
 * The types of Medusa v2's payment module that a provider needs. They are copied here so that this package builds and
 * is tested without Medusa. The drill compiles the provider against Medusa's own types.
 */

/** Medusa passes amounts as numbers, strings, objects with one of them, or objects of a big-number library. */
export type Sum = number | string | { toString(): string };

export type Context = {
  /** The payment session's id. */
  idempotency_key?: string;
  customer?: { email?: string; first_name?: string | null; last_name?: string | null };
};

export type Input = { data?: Record<string, unknown>; context?: Context };
export type InitiateInput = Input & { amount: Sum; currency_code: string };

export type SessionStatus = 'authorized' | 'captured' | 'pending' | 'requires_more' | 'error' | 'canceled';

export type WebhookPayload = {
  data: Record<string, unknown>;
  rawData: string | Uint8Array;
  headers: Record<string, unknown>;
};

export type WebhookAction =
  | { action: 'captured'; data: { session_id: string; amount: number } }
  | { action: 'not_supported' };

export type Logger = { info(text: string): void; warn(text: string): void };

/** Medusa's error handler reads `type`: not_allowed is a 400 with the message. */
export class PaymentRefused extends Error {
  override readonly name = 'PaymentRefused';
  readonly type = 'not_allowed';
}
