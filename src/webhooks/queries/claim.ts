import type { Sql } from '../../database/connect.ts';

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

export type ClaimLimits = {
  now: Date;
  leasedUntil: Date;
  /** Since when a first attempt counts as live. */
  liveSince: Date;
  /** Free places in all, and those that anything but live attempts may take. */
  places: number;
  backlogPlaces: number;
  mostPerDestination: number;
  mostPerMerchant: number;
};

/** How far one claim looks ahead. Rows of destinations that are full are passed over and do not count. */
const lookAhead = 128;

/**
 * Takes due deliveries under a lease: `claim_deliveries` of migration 29 tells how. Lock and claim are one statement, so
 * that a process which stops breathing cannot keep the lock from everybody.
 */
export async function claimDeliveries(sql: Sql, limits: ClaimLimits): Promise<ClaimedDelivery[]> {
  const claimed = await sql<ClaimedDelivery[]>`
    select * from claim_deliveries(${limits.now}, ${limits.leasedUntil}, ${limits.liveSince}, ${limits.places},
      ${limits.backlogPlaces}, ${limits.mostPerDestination}, ${limits.mostPerMerchant}, ${lookAhead})`;
  return claimed.map(delivery => ({ ...delivery, leased_until: limits.leasedUntil }));
}
