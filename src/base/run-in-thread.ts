import { Worker } from 'node:worker_threads';
import { withLimit } from './with-limit.ts';

/**
 * One task in a thread of its own, which reads it from `workerData` and posts its answer: whatever a stranger's file is
 * built to do, it costs that thread some time and memory and nobody else any.
 */
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
