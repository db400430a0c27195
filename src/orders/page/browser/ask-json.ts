/** What a server said. `status` is 0 when nothing could be heard at all. */
export type Answer = {
  status: number;
  body: unknown;
  /** Milliseconds that the server wants to be left alone. */
  retryAfter: number;
  /** The server's clock, where it may be read. */
  date: number | null;
};

const longestWait = 30_000;

/** For a question that is given up after so many milliseconds. */
export function giveUpAfter(milliseconds: number): AbortSignal {
  const abort = new AbortController();
  setTimeout(() => abort.abort(), milliseconds);
  return abort.signal;
}

/** Asks and never throws: no line, a time-out and an answer that is no JSON are answers too. */
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
