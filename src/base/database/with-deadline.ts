import { second } from '../clock.ts';
import { withLimit } from '../with-limit.ts';
import { DatabaseAway } from './database-away.ts';

/** How long an API caller waits for the database before the answer 503. */
const answerDeadline = 1.9 * second;

/**
 * Limits a query's total wait, including the wait for a connection. A query cancelled while it runs may still have
 * taken effect; repeating an uncertain create is safe.
 */
export async function withDeadline<T>(query: Promise<T>, limit: number = answerDeadline): Promise<T> {
  return await withLimit(query, limit, () => {
    (query as { cancel?: () => void }).cancel?.();
    return new DatabaseAway(new Error('the database took too long'));
  });
}
