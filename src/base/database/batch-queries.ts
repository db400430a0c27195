// Batches questions to the database: many that are asked at once become one query.

import { DatabaseAway, isDatabaseAway } from './database-away.ts';

type Asked<Q, A> = { question: Q; resolve(answer: A | Promise<A>): void; reject(error: unknown): void };

/** Two at a time: one runs while the answers of the other are sent. */
const usualUnderWay = 2;
/** So many questions in one query; the rest is the next query. */
const usualInOne = 1_000;
/** So many may wait; beyond that we say come back rather than grow. */
const mostWaiting = 50_000;

/**
 * Many questions in few queries. What is asked in one turn of the event loop becomes one query, and what is asked while
 * two of them run becomes the next: the busier the process, the less a question costs. Every answer comes from a query
 * that began after its question, so nothing is stale. `ask` returns the answers in the order of the questions; one that
 * takes longer than the others may be a promise. `waits`: how many milliseconds the first question waits for others.
 */
export function batchQueries<Q, A>(
  ask: (questions: readonly Q[]) => Promise<readonly (A | Promise<A>)[]>,
  { mostInOne = usualInOne, mostUnderWay = usualUnderWay, waits = 0 } = {},
): (question: Q) => Promise<A> {
  let waiting: Asked<Q, A>[] = [];
  let underWay = 0;
  let comes = false;

  function start(): void {
    comes = false;
    while (waiting.length > 0 && underWay < mostUnderWay) {
      const batch = waiting.length > mostInOne ? waiting.splice(0, mostInOne) : waiting;
      if (batch === waiting) waiting = [];
      void run(batch);
    }
  }

  async function run(batch: readonly Asked<Q, A>[]): Promise<void> {
    underWay++;
    try {
      const answers = await ask(batch.map(({ question }) => question));
      for (const [place, asked] of batch.entries()) asked.resolve(answers[place]!);
    } catch (error) {
      for (const asked of batch) asked.reject(error);
      // With the database away, who joined meanwhile has waited long enough too.
      if (isDatabaseAway(error)) for (const asked of waiting.splice(0)) asked.reject(error);
    }
    underWay--;
    start();
  }

  return question => {
    if (waiting.length >= mostWaiting) return Promise.reject(new DatabaseAway(new Error('too many wait')));
    return new Promise<A>((resolve, reject) => {
      waiting.push({ question, resolve, reject });
      if (comes || underWay >= mostUnderWay) return;
      comes = true;
      if (waits > 0) setTimeout(start, waits);
      else setImmediate(start);
    });
  };
}
