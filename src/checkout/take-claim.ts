import { setTimeout as pause } from 'node:timers/promises';
import { mayGuess } from '../accounts/guesses.ts';
import { second } from '../clock.ts';
import { networkOf } from '../http/network-of.ts';
import { claimReference } from '../review/claim-reference.ts';
import type { World } from '../world.ts';

export type GivenReference = { merchantId: number; orderId: string; reference: string; address: string };

/** Longer than looking a reference up and attaching its payment take, so that the time of the answer tells nothing. */
const leastTime = 0.5 * second;

/**
 * Keeps the reference of a payment that a customer says she has made. The form is a stranger's: tries are few by
 * address here and by order in `claimReference`, and whatever came of one, she hears the same after the same time.
 */
export async function takeClaim(
  world: Pick<World, 'sql' | 'clock' | 'baseUrl'>,
  { address, ...claim }: GivenReference,
): Promise<void> {
  await Promise.all([keep(), pause(leastTime)]);

  async function keep(): Promise<void> {
    if (!(await mayGuess(world, [{ kind: 'claim', whom: networkOf(address) }]))) return;
    await world.sql.begin(tx => claimReference(world, tx, { ...claim, now: world.clock.now() }));
  }
}
