import { setTimeout as sleep } from 'node:timers/promises';
import { type Clock, later, second } from '../clock.ts';
import { isDatabaseDown } from './database-down.ts';

const pause = 0.5 * second;
const usualTime = 10 * second;

/** Repeats the record while the database restarts. Otherwise the message is sent again, as another try. */
export async function recordPatiently<T>(
  { clock }: { clock: Clock },
  record: () => Promise<T>,
  stopping?: AbortSignal,
  until = later(clock.now(), usualTime),
): Promise<T> {
  for (;;) {
    try {
      return await record();
    } catch (error) {
      if (!isDatabaseDown(error) || clock.now() >= until || stopping?.aborted) throw error;
      await sleep(pause);
    }
  }
}
