/** Every refusal, one row each (§7, docs/internals/open-points.md). */
const refusals = {
  invalid_request: [400, 'The request is not valid.'],
  invalid_payment_account: [400, 'payment_account_id does not name a UPI account of this business.'],
  invalid_code: [400, 'This code was used before, is too old, or was not made for this shop.'],
  missing_api_key: [401, 'Send your API key in the X-API-Key header.'],
  invalid_api_key: [401, 'This API key is not known, or it was revoked.'],
  payment_account_paused: [402, "This UPI account is paused: the plan's limit of UPI accounts is reached."],
  plan_limit_reached: [402, "This month's collections reached the plan's limit."],
  merchant_disabled: [403, 'This business is disabled.'],
  foreign_origin: [403, 'Pages of other sites may not use the sandbox; call it from a program.'],
  not_found: [404, 'There is nothing at this address.'],
  order_not_found: [404, 'No order with this id.'],
  method_not_allowed: [405, 'This address does not take this method.'],
  request_timeout: [408, 'The request took too long to arrive.'],
  upi_not_configured: [409, 'Add a UPI ID before you create orders.'],
  request_too_large: [413, 'The request is too large.'],
  rate_limited: [429, 'Too many requests; try again shortly.'],
  headers_too_large: [431, 'The request headers are too large.'],
  internal_error: [500, 'Something went wrong on our side.'],
  all_payment_slots_busy: [503, 'Too many open orders share this amount now; retry shortly.'],
  service_unavailable: [503, 'The service cannot answer right now; retry shortly.'],
} as const satisfies Record<string, readonly [status: number, message: string]>;

export type RefusalCode = keyof typeof refusals;
export const refusalCodes = Object.keys(refusals) as RefusalCode[];

type RefusalOptions = {
  message?: string;
  /** More top-level fields of the body: details, upgrade_url, limit_paise, collected_paise. */
  fields?: Record<string, unknown>;
  retryAfterSeconds?: number;
  allow?: string;
};

/** A refusal. Routes and the code below them throw it; the app turns it into the JSON error body. */
export class ApiError extends Error {
  readonly code: RefusalCode;
  readonly status: number;
  readonly body: { error: RefusalCode; message: string } & Record<string, unknown>;
  readonly headers: Record<string, string>;

  constructor(code: RefusalCode, { message, fields, retryAfterSeconds, allow }: RefusalOptions = {}) {
    const [status, usual] = refusals[code];
    const { details } = fields ?? {};
    const sentence =
      message ?? (typeof details === 'string' ? `The request is not valid: ${details}.` : usual);
    super(sentence);
    this.code = code;
    this.status = status;
    this.body = { error: code, message: sentence, ...fields };
    this.headers = {
      ...(retryAfterSeconds !== undefined && { 'retry-after': String(retryAfterSeconds) }),
      ...(allow !== undefined && { allow }),
    };
  }
}

/** The JSON body, with the address of this code's section in the installation's documentation. */
export function bodyOf({ body }: ApiError, baseUrl: string): ApiError['body'] {
  return { ...body, doc_url: `${baseUrl}/docs/errors#${body.error}` };
}

const movedRetrySeconds = 5;

/** The business is being moved or has moved. Never 403, after which a widget would stop asking. */
export function movedAway(): ApiError {
  return new ApiError('service_unavailable', { retryAfterSeconds: movedRetrySeconds });
}

export function refusalStatus(code: RefusalCode): number {
  return refusals[code][0];
}
