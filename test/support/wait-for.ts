import { setTimeout as sleep } from 'node:timers/promises';

/** A slow machine is no failure: half of what a test may take in all. */
export const patience = 120_000;

/** Waits until `check` answers something other than false, null or undefined. */
export async function waitFor<T>(
  what: string,
  check: () => Promise<T> | T,
  limit = patience,
): Promise<NonNullable<T>> {
  const end = performance.now() + limit;
  for (;;) {
    const answer = await check();
    if (answer !== false && answer !== null && answer !== undefined) return answer as NonNullable<T>;
    if (performance.now() > end) throw new Error(`waited in vain: ${what}`);
    await sleep(25);
  }
}
