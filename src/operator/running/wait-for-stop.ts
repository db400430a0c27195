import { readFileSync } from 'node:fs';
import { second } from '../../base/clock.ts';
import { isAlive } from '../../base/database/embedded.ts';
import type { Config } from '../../base/settings/config.ts';

const npmCheck = 1 * second;

/** Resolves with the reason to stop: Ctrl-C, kill -TERM, or the end of the npm that started the program. */
export function waitForStop({ startedByNpm }: Pick<Config, 'startedByNpm'>): Promise<string> {
  return new Promise(resolve => {
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
      process.once(signal, () => resolve(signal));
    if (!startedByNpm) return;
    const [parent, npm] = [process.ppid, npmProcess()];
    setInterval(() => {
      // If npm is killed with -9, the shell between npm and us waits on, and nothing would stop us.
      if (process.ppid !== parent || !isAlive(npm)) resolve('npm is gone');
    }, npmCheck).unref();
  });
}

/** npm starts a script through a shell, which may replace itself or stay between npm and us. */
function npmProcess(): number {
  try {
    const isShell = /^(?:\/bin\/)?(?:sh|dash|bash)\0-c\0/.test(
      readFileSync(`/proc/${process.ppid}/cmdline`, 'latin1'),
    );
    if (!isShell) return process.ppid;
    const status = readFileSync(`/proc/${process.ppid}/status`, 'latin1');
    return Number(/^PPid:\s+(\d+)$/m.exec(status)?.[1]);
  } catch {
    return process.ppid;
  }
}
