import { second } from '../../base/clock.ts';
import { runInThread } from '../../base/run-in-thread.ts';
import type { Columns } from './find-columns.ts';
import type { Statement, UnreadStatement } from './read-statement.ts';
import type { StatementTask } from './statement-worker.ts';

/** Fifty thousand lines of long cells need half of the memory. */
const limits = { timeLimit: 60 * second, memoryMb: 384 };

/** Files read at once in one process, each with its thread and its memory. */
const mostAtOnce = 2;
let inHand = 0;

/** Runs `readStatement` in a worker thread, because it would block the event loop. */
export async function readInThread(
  bytes: Buffer,
  chosen: Columns | null,
): Promise<Statement | UnreadStatement> {
  if (inHand >= mostAtOnce) return { fault: 'busy', titles: [] };
  inHand++;
  try {
    const script = new URL('./statement-worker.ts', import.meta.url);
    const task: StatementTask = { bytes, chosen };
    const read = await runInThread<Statement | UnreadStatement>(script, task, limits);
    return read === 'gave_up' ? { fault: 'gave_up', titles: [] } : read;
  } finally {
    inHand--;
  }
}
