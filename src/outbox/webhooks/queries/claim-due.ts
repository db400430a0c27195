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
  /** The connected shop whose secret signs the event; null for the business's own secret. */
  shop: string | null;
  webhook_secret: string;
  old_webhook_secret: string | null;
  secret_rotated_at: Date | null;
  /** A recent first attempt, which may use the places reserved for such attempts. */
  is_live: boolean;
  /** Only set in the first row: another delivery is due but unclaimed, because its destination is at its limit. */
  is_left: boolean | null;
};

/** Twice the attempt limit, so a process that still holds the row has died. */
const leaseFor = 30 * second;
/** A slow destination holds four places. A business with many destinations holds sixteen. */
const mostPerDestination = 4;
const mostPerMerchant = 16;
/** A first attempt that waited longer counts as backlog. */
const liveFor = 15 * second;
/** The number of rows that one claim examines. Rows of full destinations do not count. */
const lookAhead = 128;

/** `backlogPlaces` is the part that other than live attempts may use. */
export type FreePlaces = { places: number; backlogPlaces: number };

/**
 * Leases due deliveries for the free places: live first attempts first, fair between businesses. See `claim_deliveries`
 * in the migrations. One statement locks and claims, so a stalled process cannot keep the lock.
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
