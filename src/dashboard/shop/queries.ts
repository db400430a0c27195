import type { Queryable, Transaction } from '../../base/database/connect.ts';
import type { KeepDays } from '../../base/retention.ts';
import type { OptionalEventType } from '../../outbox/webhooks/record-event.ts';

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

/** The style of a shop's pages; `logo` is the picture's name. */
export type Brand = { colour: string | null; logo: string | null };

export async function selectBrand(sql: Queryable, merchantId: number): Promise<Brand> {
  const [row] = await sql<Brand[]>`select colour, logo from merchants where merchant_id = ${merchantId}`;
  return row ?? { colour: null, logo: null };
}

export async function updateColour(tx: Transaction, merchantId: number, colour: string | null) {
  await tx`update merchants set colour = ${colour} where merchant_id = ${merchantId}`;
}

export type Keeping = { keeps: KeepDays; early_since: Date | null; history_days: number | null };

export async function selectKeeping(sql: Queryable, merchantId: number): Promise<Keeping> {
  const [row] = await sql<Keeping[]>`
    select m.keeps, h.early_since, p.history_days from merchants m join plans p on p.plan = m.plan
      left join history_progress h on h.merchant_id = m.merchant_id
    where m.merchant_id = ${merchantId}`;
  return row!;
}

/** The waiting period before deletion starts now, not when the worker finds the change. */
export async function updateKeeps(tx: Transaction, merchantId: number, keeps: KeepDays, now: Date) {
  await tx`update merchants set keeps = ${tx.json(keeps)} where merchant_id = ${merchantId}`;
  await tx`update history_progress set early_since = ${now} where merchant_id = ${merchantId}`;
}

export async function selectLanguages(sql: Queryable, merchantId: number): Promise<string[]> {
  const [row] = await sql<{ languages: string[] }[]>`
    select languages from merchants where merchant_id = ${merchantId}`;
  return row?.languages ?? [];
}

export async function updateLanguages(tx: Transaction, merchantId: number, languages: readonly string[]) {
  await tx`update merchants set languages = ${languages}::text[] where merchant_id = ${merchantId}`;
}

export async function storeLogo(
  tx: Transaction,
  merchantId: number,
  { name, bytes }: { name: string; bytes: Buffer },
): Promise<void> {
  await tx`
    insert into shop_logos (merchant_id, name, bytes) values (${merchantId}, ${name}, ${bytes})
    on conflict (merchant_id) do update set name = excluded.name, bytes = excluded.bytes`;
  await tx`update merchants set logo = ${name} where merchant_id = ${merchantId}`;
}

export async function dropLogo(tx: Transaction, merchantId: number): Promise<void> {
  await tx`delete from shop_logos where merchant_id = ${merchantId}`;
  await tx`update merchants set logo = null where merchant_id = ${merchantId}`;
}
