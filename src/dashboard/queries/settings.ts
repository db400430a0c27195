import type { Queryable } from '../../database/connect.ts';
import type { OptionalEventType } from '../../webhooks/record-optional-event.ts';

export async function holdsNearMisses(sql: Queryable, merchantId: number): Promise<boolean> {
  const [row] = await sql<{ hold_near_misses: boolean }[]>`
    select hold_near_misses from merchants where merchant_id = ${merchantId}`;
  return row?.hold_near_misses ?? false;
}

export async function updateHoldNearMisses(sql: Queryable, merchantId: number, hold: boolean): Promise<void> {
  await sql`update merchants set hold_near_misses = ${hold} where merchant_id = ${merchantId}`;
}

export type EventSettings = { webhook_url: string | null; wanted_events: OptionalEventType[] };

export async function selectEventSettings(sql: Queryable, merchantId: number): Promise<EventSettings> {
  const [row] = await sql<EventSettings[]>`
    select webhook_url, wanted_events from merchants where merchant_id = ${merchantId}`;
  return row ?? { webhook_url: null, wanted_events: [] };
}

export async function updateEventSettings(
  sql: Queryable,
  merchantId: number,
  { webhook_url, wanted_events }: EventSettings,
): Promise<void> {
  await sql`
    update merchants set webhook_url = ${webhook_url}, wanted_events = ${wanted_events}::text[]
    where merchant_id = ${merchantId}`;
}
