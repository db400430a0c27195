import { Worker } from 'node:worker_threads';
import { second } from '../clock.ts';
import type { Columns } from './find-columns.ts';
import type { Statement, UnreadStatement } from './read-statement.ts';
import type { StatementTask } from './statement-worker.ts';

const timeLimit = 60 * second;
/** Fifty thousand lines of long cells need half of it. */
const memoryMb = 384;

/** Files read at once in one process, each with its thread and its memory. */
const mostAtOnce = 2;
let inHand = 0;

/** `readStatement` beside the event loop: whatever a file is built to do, it costs its thread some time and memory. */
export async function readAside(bytes: Buffer, chosen: Columns | null): Promise<Statement | UnreadStatement> {
  if (inHand >= mostAtOnce) return { fault: 'busy', titles: [] };
  inHand++;
  try {
    return await readInThread({ bytes, chosen });
  } finally {
    inHand--;
  }
}

async function readInThread(task: StatementTask): Promise<Statement | UnreadStatement> {
  const worker = new Worker(new URL('./statement-worker.ts', import.meta.url), {
    workerData: task,
    resourceLimits: { maxOldGenerationSizeMb: memoryMb },
  });
  try {
    return await new Promise(resolve => {
      const giveUp = () => settle({ fault: 'gave_up', titles: [] });
      const timer = setTimeout(giveUp, timeLimit);
      const settle = (answer: Statement | UnreadStatement) => {
        clearTimeout(timer);
        resolve(answer);
      };
      worker.on('message', settle);
      worker.on('error', giveUp);
      worker.on('exit', giveUp);
    });
  } finally {
    await worker.terminate();
  }
}
