import { MilaanError } from './milaan-error.ts';

/** The service's answer as a value, or its error. */
export function readAnswer(status: number, headers: Headers, text: string, attempts: number): unknown {
  const body = parsed(text);
  if (status >= 200 && status < 300 && isObject(body)) return body;
  throw errorFor(status, headers, body, attempts);
}

function errorFor(status: number, headers: Headers, body: unknown, attempts: number): MilaanError {
  const requestId = headers.get('x-request-id');
  const retryAfter = secondsFrom(headers.get('retry-after'));
  const common = {
    status,
    attempts,
    ...(requestId !== null && { requestId }),
    ...(retryAfter !== null && { retryAfter }),
  };
  if (status < 400 || !isObject(body) || typeof body['error'] !== 'string') {
    // A proxy's error page, a captive portal, or the base URL of another service.
    const message = `the answer (HTTP ${status}) is not one of Milaan's; check baseUrl and what stands between`;
    return new MilaanError({ ...common, code: 'unexpected_answer', message });
  }
  const text = (field: string) => (typeof body[field] === 'string' ? body[field] : undefined);
  const number = (field: string) => (typeof body[field] === 'number' ? body[field] : undefined);
  const details = text('details');
  const message = text('message') ?? body['error'];
  return new MilaanError({
    ...common,
    code: body['error'],
    message: details === undefined || message.includes(details) ? message : `${message} ${details}`,
    ...defined({
      details,
      docUrl: text('doc_url'),
      upgradeUrl: text('upgrade_url'),
      limitPaise: number('limit_paise'),
      collectedPaise: number('collected_paise'),
    }),
  });
}

/** Retry-After in seconds. A date is not parsed, because the service sends seconds and clocks differ. */
function secondsFrom(value: string | null): number | null {
  return value !== null && /^\d{1,6}$/.test(value.trim()) ? Number(value) : null;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

type Defined<T> = { [K in keyof T]?: Exclude<T[K], undefined> };

function defined<T extends object>(fields: T): Defined<T> {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as Defined<T>;
}
