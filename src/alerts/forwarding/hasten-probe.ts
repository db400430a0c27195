import { later, minute } from '../../base/clock.ts';
import type { World } from '../../base/world.ts';
import { probeChannel } from '../addresses/queries/addresses.ts';
import type { ForwardingState } from './forwarding-state.ts';
import { hastenProbes } from './queries/probes.ts';

/** What came this lately tells enough. */
const fresh = 10 * minute;

/**
 * Somebody looks at the page after a silence: whether mail still comes is found out now instead of at the next turn.
 * Nobody waits for the result.
 */
export function hastenProbe(
  { sql, clock, log }: Pick<World, 'sql' | 'clock' | 'log'>,
  merchantId: number,
  { probes, lastAlert }: ForwardingState,
): void {
  const now = clock.now();
  const sentBefore = later(now, -fresh);
  if (lastAlert && lastAlert > sentBefore) return;
  if (!probes.some(({ sentAt }) => sentAt && sentAt < sentBefore)) return;
  const hasten = async () => {
    if (await hastenProbes(sql, merchantId, { now, sentBefore })) await sql.notify(probeChannel, '');
  };
  hasten().catch(error => log.warn({ err: error }, 'a probe waits for its turn'));
}
