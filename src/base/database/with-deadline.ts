import { second } from '../clock.ts';
import { withLimit } from '../with-limit.ts';
import { DatabaseAway } from './database-away.ts';

/** How long a caller of the API waits for the database before it is told to come back (503). */
const answerDeadline = 1.9 * second;

/**
 * A query with a limit on the whole wait, the queue for a free connection included. One that is cancelled while it
 * runs may still have happened: a create in doubt is settled by its replay.
 */
export async function withDeadline<T>(query: Promise<T>, limit: number = answerDeadline): Promise<T> {
  return await withLimit(query, limit, () => {
    (query as { cancel?: () => void }).cancel?.();
    return new DatabaseAway(new Error('the database took too long'));
  });
}
