import { DatabaseDown, isDatabaseDown } from './database-down.ts';

type Asked<Q, A> = { question: Q; resolve(answer: A | Promise<A>): void; reject(error: unknown): void };

/** One query runs while the other's answers are sent. */
const usualAtOnce = 2;
/** The limit per query; the rest forms the next query. */
const usualInOne = 1_000;
/** Above this many waiting questions, callers should retry later instead of filling the memory. */
const mostWaiting = 50_000;

/**
 * Batches many questions into few queries. Questions from one turn of the event loop form a query, and those asked
 * while `mostAtOnce` queries run form the next. So a question costs less under load. Every answer comes from a query
 * that began after its question, so none is stale. `ask` returns the answers in the questions' order; a slower answer
 * may be a promise. `waits`: milliseconds that the first question waits for others.
 */
export function batchQueries<Q, A>(
  ask: (questions: readonly Q[]) => Promise<readonly (A | Promise<A>)[]>,
  { mostInOne = usualInOne, mostAtOnce = usualAtOnce, waits = 0 } = {},
): (question: Q) => Promise<A> {
  let waiting: Asked<Q, A>[] = [];
  let running = 0;
  let isScheduled = false;

  function start(): void {
    isScheduled = false;
    while (waiting.length > 0 && running < mostAtOnce) {
      const batch = waiting.length > mostInOne ? waiting.splice(0, mostInOne) : waiting;
      if (batch === waiting) waiting = [];
      void run(batch);
    }
  }

  async function run(batch: readonly Asked<Q, A>[]): Promise<void> {
    running++;
    try {
      const answers = await ask(batch.map(({ question }) => question));
      for (const [place, asked] of batch.entries()) asked.resolve(answers[place]!);
    } catch (error) {
      for (const asked of batch) asked.reject(error);
      // If the database is down, fail the waiting questions too, because they have waited long enough.
      if (isDatabaseDown(error)) for (const asked of waiting.splice(0)) asked.reject(error);
    }
    running--;
    start();
  }

  return question => {
    if (waiting.length >= mostWaiting)
      return Promise.reject(new DatabaseDown(new Error('the queue is full')));
    return new Promise<A>((resolve, reject) => {
      waiting.push({ question, resolve, reject });
      if (isScheduled || running >= mostAtOnce) return;
      isScheduled = true;
      if (waits > 0) setTimeout(start, waits);
      else setImmediate(start);
    });
  };
}
