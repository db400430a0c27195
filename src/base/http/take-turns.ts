import { ApiError } from './api-error.ts';

type Limits = {
  atOnce: number;
  /** More callers are refused, because they would give up before their turn. */
  waiting?: number;
  retryAfterSeconds?: number;
};

/** Limits work that needs much memory: a few run at once, some or all others wait, the rest is refused. */
export function takeTurns({ atOnce, waiting = Number.POSITIVE_INFINITY, retryAfterSeconds = 1 }: Limits) {
  const queue: (() => void)[] = [];
  let running = 0;
  return async <T>(work: () => Promise<T>): Promise<T> => {
    if (running < atOnce) running++;
    else if (queue.length >= waiting) throw new ApiError('service_unavailable', { retryAfterSeconds });
    else await new Promise<void>(resolve => queue.push(resolve));
    try {
      return await work();
    } finally {
      // Pass the place on directly, so that no later caller can take it.
      const next = queue.shift();
      if (next) next();
      else running--;
    }
  };
}
