import { second } from '../clock.ts';
import { withLimit } from '../with-limit.ts';
import { DatabaseDown } from './database-down.ts';

/** How long an API caller waits for the database before the answer 503. */
const answerDeadline = 1.9 * second;

/** Also limits the wait for a connection. A cancelled query may have run; repeating an uncertain create is safe. */
export async function withDeadline<T>(query: Promise<T>, limit: number = answerDeadline): Promise<T> {
  return await withLimit(query, limit, () => {
    (query as { cancel?: () => void }).cancel?.();
    return new DatabaseDown(new Error('the database took too long'));
  });
}
