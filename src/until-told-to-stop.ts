import { second } from './clock.ts';
import type { Config } from './config.ts';

const parentCheck = 1 * second;

/** Resolves with the reason once the program is to stop: Ctrl-C, kill -TERM, or the npm that started it is gone. */
export function untilToldToStop({ startedByNpm }: Pick<Config, 'startedByNpm'>): Promise<string> {
  return new Promise(resolve => {
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
      process.once(signal, () => resolve(signal));
    if (!startedByNpm) return;
    const parent = process.ppid;
    setInterval(() => {
      if (process.ppid !== parent) resolve('npm is gone');
    }, parentCheck).unref();
  });
}
