// Lets a few pieces of costly work (password hashes) run at once, queues some more and refuses the rest.

import { ApiError } from '../../base/http/api-error.ts';

type Limits = {
  /** So much at once; the rest waits in the order it came. */
  atOnce: number;
  /** Beyond so many waiting ones nobody is let in: they would only wait longer than they are willing to. */
  waiting: number;
  retryAfterSeconds: number;
};

/** Limits work that costs memory: a few at a time, some may wait, and a flood beyond that is refused. */
export function takeTurns({ atOnce, waiting, retryAfterSeconds }: Limits) {
  const queue: (() => void)[] = [];
  let running = 0;
  return async <T>(work: () => Promise<T>): Promise<T> => {
    if (running < atOnce) running++;
    else if (queue.length >= waiting) throw new ApiError('service_unavailable', { retryAfterSeconds });
    else await new Promise<void>(resolve => queue.push(resolve));
    try {
      return await work();
    } finally {
      // The place goes straight to the next one: nobody who comes later slips in between.
      const next = queue.shift();
      if (next) next();
      else running--;
    }
  };
}
