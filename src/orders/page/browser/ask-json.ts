/** A server's answer. `status` is 0 if there was none. */
export type Answer = {
  status: number;
  body: unknown;
  /** Milliseconds for which the server asks to be left alone. */
  retryAfter: number;
  /** The server's clock, if it may be read. */
  date: number | null;
};

const longestWait = 30_000;

export function giveUpAfter(milliseconds: number): AbortSignal {
  const abort = new AbortController();
  setTimeout(() => abort.abort(), milliseconds);
  return abort.signal;
}

/** Never throws: no connection, a time-out and an answer that is no JSON are answers too. */
export async function askJson(url: string, init: RequestInit): Promise<Answer> {
  try {
    const response = await fetch(url, init);
    const body = await response.json().catch(() => null);
    const date = Date.parse(response.headers.get('date') ?? '');
    const seconds = Number(response.headers.get('retry-after')) || 0;
    return {
      status: response.status,
      body,
      retryAfter: Math.min(seconds * 1000, longestWait),
      date: Number.isNaN(date) ? null : date,
    };
  } catch {
    return { status: 0, body: null, retryAfter: 0, date: null };
  }
}
