import type { OrderProblem } from './order.ts';

/** `status` is 0 when there was no answer; `retryAfter` is in milliseconds. */
export type Answer = { status: number; body: unknown; retryAfter: number };

/** Never throws: a missing answer is a result too. */
export async function askJson(address: string, init: RequestInit): Promise<Answer> {
  try {
    const response = await fetch(address, init);
    const body: unknown = await response.json().catch(() => null);
    const after = Number(response.headers.get('retry-after') ?? 0);
    return { status: response.status, body, retryAfter: after > 0 && after <= 60 ? after * 1000 : 0 };
  } catch {
    return { status: 0, body: null, retryAfter: 0 };
  }
}

export function problemIn({ status, body }: Answer): OrderProblem {
  const { error, message } = (body ?? {}) as { error?: unknown; message?: unknown };
  return {
    status,
    code: typeof error === 'string' ? error : null,
    message: typeof message === 'string' ? message : status === 0 ? 'no answer' : `HTTP ${status}`,
  };
}
