import { later, second } from '../../../base/clock.ts';
import type { World } from '../../../base/world.ts';
import { testEventType } from '../send-test-event.ts';

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
  /** The connected shop that the event is signed for, by the id of its key; null: with the business's own secret. */
  shop: string | null;
  webhook_secret: string;
  old_webhook_secret: string | null;
  secret_rotated_at: Date | null;
  /** A first attempt of a moment ago, which may use the places kept free for such. */
  is_live: boolean;
  /** Of the first: something else is due and in nobody's hands, because whoever it is for has their share. */
  is_left: boolean | null;
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
 * `claim_deliveries` says how. Lock and claim are one statement, so that a process that stalls cannot
 * keep the lock.
 */
export async function claimDue(
  { sql, clock }: Pick<World, 'sql' | 'clock'>,
  { places, backlogPlaces }: FreePlaces,
): Promise<ClaimedDelivery[]> {
  const now = clock.now();
  const leasedUntil = later(now, leaseFor);
  const claimed = await sql<(ClaimedDelivery & ShopSecrets)[]>`
    select c.*, s.*, case when row_number() over () = 1 then is_delivery_left(${now}) end as is_left
    from claim_deliveries(${now}, ${leasedUntil}, ${later(now, -liveFor)}, ${places}, ${backlogPlaces},
        ${mostPerDestination}, ${mostPerMerchant}, ${lookAhead}) c
      left join lateral shop_secrets(c.merchant_id, c.order_id, c.type = ${testEventType}, c.webhook_url) s on true`;
  return claimed.map(({ shop_secret, old_shop_secret, shop_secret_rotated_at, ...delivery }) => ({
    ...delivery,
    leased_until: leasedUntil,
    ...(shop_secret !== null && {
      webhook_secret: shop_secret,
      old_webhook_secret: old_shop_secret,
      secret_rotated_at: shop_secret_rotated_at,
    }),
  }));
}

type ShopSecrets = {
  shop_secret: string | null;
  old_shop_secret: string | null;
  shop_secret_rotated_at: Date | null;
};
