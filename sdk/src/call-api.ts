import { MilaanError } from './milaan-error.ts';
import { readAnswer } from './read-answer.ts';
import { type RetryRules, retryPause } from './retry-pause.ts';

export type CallOptions = {
  /** Ends the call, also during a pause; the signal's reason is thrown. */
  signal?: AbortSignal;
};

export type Connection = RetryRules & {
  origin: string;
  /** Null for the one call that fetches the key. */
  apiKey: string | null;
  timeoutMs: number;
  fetch: typeof fetch;
};

type Call = { method: 'GET' | 'POST'; path: string; body?: unknown };

/** One API call with a time limit, retried if that is safe and useful. */
export async function callApi(
  connection: Connection,
  call: Call,
  { signal }: CallOptions = {},
): Promise<unknown> {
  for (let attempts = 1; ; attempts++) {
    try {
      return await attempt(connection, call, attempts, signal);
    } catch (error) {
      signal?.throwIfAborted();
      const pause = error instanceof MilaanError ? retryPause(error, connection) : null;
      if (pause === null) throw error;
      await wait(pause, signal);
    }
  }
}

async function attempt(
  { origin, apiKey, timeoutMs, fetch }: Connection,
  { method, path, body }: Call,
  attempts: number,
  signal: AbortSignal | undefined,
): Promise<unknown> {
  signal?.throwIfAborted();
  // Before the attempt: a value that cannot be encoded is the caller's mistake, not the network's.
  const text = body === undefined ? undefined : JSON.stringify(body);
  const stop = new AbortController();
  let isLate = false;
  const timer = setTimeout(() => {
    isLate = true;
    stop.abort();
  }, timeoutMs);
  const pass = () => stop.abort();
  signal?.addEventListener('abort', pass, { once: true });
  try {
    const response = await fetch(`${origin}${path}`, {
      method,
      headers: {
        ...(apiKey !== null && { 'X-API-Key': apiKey }),
        Accept: 'application/json',
        ...(text !== undefined && { 'Content-Type': 'application/json' }),
      },
      // The API never redirects; following a redirect would carry the key to another host.
      redirect: 'manual',
      signal: stop.signal,
      ...(text !== undefined && { body: text }),
    });
    // Inside the time limit too: an answer can begin at once and then drip.
    const answer = await response.text();
    return readAnswer(response.status, response.headers, answer, attempts);
  } catch (error) {
    if (error instanceof MilaanError) throw error;
    throw isLate
      ? new MilaanError({ code: 'timeout', message: `no answer within ${timeoutMs} ms`, attempts })
      : new MilaanError({
          code: 'network_error',
          message: `${origin} could not be reached: ${reasonOf(error)}`,
          attempts,
          cause: error,
        });
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener('abort', pass);
  }
}

/** fetch itself says only "fetch failed"; its cause has the system's reason, such as ECONNREFUSED. */
function reasonOf(error: unknown): string {
  const { cause, message } = error as { cause?: { code?: unknown; message?: unknown }; message?: unknown };
  return String(cause?.code ?? cause?.message ?? message ?? error);
}

function wait(milliseconds: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    const end = () => {
      clearTimeout(timer);
      reject(signal?.reason);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', end);
      resolve();
    }, milliseconds);
    signal?.addEventListener('abort', end, { once: true });
  });
}
