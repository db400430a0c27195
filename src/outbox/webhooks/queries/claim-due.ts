import { later, second } from '../../../base/clock.ts';
import type { World } from '../../../base/world.ts';

export type ClaimedDelivery = {
  merchant_id: number;
  delivery_id: number;
  event_id: string;
  attempt: number;
  step: number;
  destination: string;
  leased_until: Date;
  type: string;
  order_id: string | null;
  webhook_url: string;
  body: string;
  webhook_secret: string;
  old_webhook_secret: string | null;
  secret_rotated_at: Date | null;
  /** A first attempt of a moment ago, which may use the places kept free for such. */
  is_live: boolean;
};

/** Twice an attempt: whoever holds a row longer has died. */
const leaseFor = 30 * second;
/** One slow shop holds four places, and one business, whatever names it makes up, sixteen. */
const mostPerDestination = 4;
const mostPerMerchant = 16;
/** A first attempt that could not start for this long is backlog like the rest. */
const liveFor = 15 * second;
/** How far one claim looks ahead. Rows of destinations that are full are passed over and do not count. */
const lookAhead = 128;

/** Free places in all, and those that anything but live attempts may take. */
export type FreePlaces = { places: number; backlogPlaces: number };

/**
 * Leases what is due, as much as there are free places: live first attempts first, fair between businesses.
 * `claim_deliveries` of migration 65 says how. Lock and claim are one statement, so that a process that stalls cannot
 * keep the lock.
 */
export async function claimDue(
  { sql, clock }: Pick<World, 'sql' | 'clock'>,
  { places, backlogPlaces }: FreePlaces,
): Promise<ClaimedDelivery[]> {
  const now = clock.now();
  const leasedUntil = later(now, leaseFor);
  const claimed = await sql<ClaimedDelivery[]>`
    select * from claim_deliveries(${now}, ${leasedUntil}, ${later(now, -liveFor)}, ${places}, ${backlogPlaces},
      ${mostPerDestination}, ${mostPerMerchant}, ${lookAhead})`;
  return claimed.map(delivery => ({ ...delivery, leased_until: leasedUntil }));
}
