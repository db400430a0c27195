import { second } from '../clock.ts';
import { DatabaseAway } from './database-away.ts';

/** How long a caller of the API waits for the database before it is told to come back (503). */
const answerDeadline = 1.9 * second;

/**
 * A query with a limit on the whole wait, the queue for a free connection included. One that is cancelled while it
 * runs may still have happened: a create in doubt is settled by its replay.
 */
export async function withDeadline<T>(query: Promise<T>, limit: number = answerDeadline): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const tooLong = new Promise<never>((_, reject) => {
    timer = setTimeout(() => {
      (query as { cancel?: () => void }).cancel?.();
      reject(new DatabaseAway(new Error('the database took too long')));
    }, limit);
  });
  try {
    return await Promise.race([query, tooLong]);
  } finally {
    clearTimeout(timer);
    // The query that lost the race may still fail; nobody is left to hear it.
    query.catch(() => {});
  }
}
