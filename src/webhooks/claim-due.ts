import { later, second } from '../clock.ts';
import type { World } from '../world.ts';
import { type ClaimedDelivery, claimDeliveries } from './queries/claim.ts';

/** Twice an attempt: whoever holds a row longer has died. */
const leaseFor = 30 * second;
/** One slow shop holds four places, and one business, whatever names it makes up, sixteen. */
const mostPerDestination = 4;
const mostPerMerchant = 16;
/** A first attempt that could not start for this long is backlog like the rest. */
const liveFor = 15 * second;

export type FreePlaces = { places: number; backlogPlaces: number };

/** Takes what is due, as much as there are places for: live first attempts first, fair between businesses. */
export async function claimDue(
  { sql, clock }: Pick<World, 'sql' | 'clock'>,
  { places, backlogPlaces }: FreePlaces,
): Promise<ClaimedDelivery[]> {
  const now = clock.now();
  return await claimDeliveries(sql, {
    now,
    leasedUntil: later(now, leaseFor),
    liveSince: later(now, -liveFor),
    places,
    backlogPlaces,
    mostPerDestination,
    mostPerMerchant,
  });
}
