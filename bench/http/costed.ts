import { processorSeconds } from '../processor.ts';
import type { Load } from './run-wrk.ts';

/** A load, and the processor time of the processes that answered it, for one answer. */
export async function costed<T extends Pick<Load, 'answers'>>(
  pids: readonly number[],
  load: () => Promise<T>,
): Promise<T & { microseconds: number }> {
  const before = processorSeconds(pids);
  const done = await load();
  return { ...done, microseconds: ((processorSeconds(pids) - before) * 1e6) / done.answers };
}
