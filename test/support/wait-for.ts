import { setTimeout as sleep } from 'node:timers/promises';

/** Waits until `check` answers something other than false, null or undefined. Generous: a slow machine is no failure. */
export async function waitFor<T>(
  what: string,
  check: () => Promise<T> | T,
  limit = 30_000,
): Promise<NonNullable<T>> {
  const end = performance.now() + limit;
  for (;;) {
    const answer = await check();
    if (answer !== false && answer !== null && answer !== undefined) return answer as NonNullable<T>;
    if (performance.now() > end) throw new Error(`waited in vain: ${what}`);
    await sleep(25);
  }
}
