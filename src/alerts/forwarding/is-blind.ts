import { day, later } from '../../base/clock.ts';
import type { World } from '../../base/world.ts';
import { mailboxState } from '../mailboxes/mailbox-state.ts';
import { forwardingState } from './forwarding-state.ts';
import { hastenProbe } from './hasten-probe.ts';

/** A way that brought an alert this long before the other one did is not what the shop relies on any more. */
const reliedOnFor = 1 * day;

/**
 * Whether a payment made now would not be seen soon: the way by which the last alerts came is out of reach, or both
 * ways where both brought them, or there is none that works. Asked when a customer opens the page, so a silent forwarding is probed at this moment.
 */
export async function isBlind(
  world: Pick<World, 'sql' | 'clock' | 'log'>,
  merchantId: number,
): Promise<boolean> {
  const { sql, clock } = world;
  const now = clock.now();
  const [mailbox, forwarding] = await Promise.all([
    mailboxState(sql, merchantId, now),
    forwardingState(sql, merchantId, now),
  ]);
  if (forwarding) hastenProbe(world, merchantId, forwarding);
  const ways = [mailbox, forwarding?.worksSince ? forwarding : null].filter(way => way !== null);
  const last = Math.max(...ways.map(way => way.lastAlert?.getTime() ?? 0));
  const since = later(new Date(last), -reliedOnFor);
  const relied = last === 0 ? ways : ways.filter(({ lastAlert }) => lastAlert && lastAlert >= since);
  return relied.every(({ blind }) => blind);
}
