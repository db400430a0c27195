import { Worker } from 'node:worker_threads';
import { withLimit } from './with-limit.ts';

/** Runs a task in its own thread, so that a malicious file costs only that thread's limited time and memory. */
export async function runInThread<Answer>(
  script: URL,
  task: unknown,
  { timeLimit, memoryMb }: { timeLimit: number; memoryMb: number },
): Promise<Answer | 'gave_up'> {
  const worker = new Worker(script, {
    workerData: task,
    resourceLimits: { maxOldGenerationSizeMb: memoryMb },
  });
  const answer = new Promise<Answer>((resolve, reject) => {
    worker.on('message', resolve).on('error', reject).on('exit', reject);
  });
  try {
    return await withLimit(answer, timeLimit, () => new Error('the thread took too long'));
  } catch {
    return 'gave_up';
  } finally {
    await worker.terminate();
  }
}
