/** Every code in the service's answers. */
export type ServiceErrorCode =
  | 'invalid_request'
  | 'invalid_payment_account'
  | 'invalid_code'
  | 'missing_api_key'
  | 'invalid_api_key'
  | 'payment_account_paused'
  | 'plan_limit_reached'
  | 'merchant_disabled'
  | 'foreign_origin'
  | 'not_found'
  | 'order_not_found'
  | 'method_not_allowed'
  | 'request_timeout'
  | 'upi_not_configured'
  | 'request_too_large'
  | 'rate_limited'
  | 'headers_too_large'
  | 'internal_error'
  | 'all_payment_slots_busy'
  | 'service_unavailable';

/** The client's own codes: no connection, no answer in time, or an answer that is not the service's. */
export type ClientErrorCode = 'network_error' | 'timeout' | 'unexpected_answer';

/** A newer service's codes are passed through unchanged. */
export type MilaanErrorCode = ServiceErrorCode | ClientErrorCode | (string & {});

type Facts = {
  code: MilaanErrorCode;
  message: string;
  status?: number;
  details?: string;
  docUrl?: string;
  upgradeUrl?: string;
  limitPaise?: number;
  collectedPaise?: number;
  retryAfter?: number;
  requestId?: string;
  attempts: number;
  cause?: unknown;
};

/** A failed call. `code` says why; the other fields are set if the service sent them. */
export class MilaanError extends Error {
  override readonly name = 'MilaanError';
  readonly code: MilaanErrorCode;
  /** The HTTP status; null when there was no answer. */
  readonly status: number | null;
  /** The exact fault in the request. */
  readonly details: string | null;
  /** The documentation of this code. */
  readonly docUrl: string | null;
  /** The page for changing the plan (402). */
  readonly upgradeUrl: string | null;
  /** The plan's monthly limit and what was collected, in paise (402 plan_limit_reached). */
  readonly limitPaise: number | null;
  readonly collectedPaise: number | null;
  /** The service asks for this pause in seconds (429, 503). */
  readonly retryAfter: number | null;
  /** Give it to the operator if you ask about this call. */
  readonly requestId: string | null;
  /** How often the call was tried. */
  readonly attempts: number;

  constructor({ code, message, cause, attempts, ...facts }: Facts) {
    super(message, cause === undefined ? undefined : { cause });
    this.code = code;
    this.status = facts.status ?? null;
    this.details = facts.details ?? null;
    this.docUrl = facts.docUrl ?? null;
    this.upgradeUrl = facts.upgradeUrl ?? null;
    this.limitPaise = facts.limitPaise ?? null;
    this.collectedPaise = facts.collectedPaise ?? null;
    this.retryAfter = facts.retryAfter ?? null;
    this.requestId = facts.requestId ?? null;
    this.attempts = attempts;
  }
}
