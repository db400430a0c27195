import type { Queryable } from '../../base/database/connect.ts';
import type { Reason } from '../../texts/verdicts.ts';
import { mostMailBytes } from '../mail/limits.ts';
import { hasRaw, rawOf, reasonColumn } from '../queries.ts';

/** `raw` is compressed. */
export type KeptMail = { merchant_id: number; alert_id: string; arrived_at: Date; raw: Buffer };
export type HeldMail = KeptMail & { business: string; bank: string; reason: Reason | null };

export async function selectHeld(
  sql: Queryable,
  banks: readonly string[],
  { ofEach, most }: { ofEach: number; most: number },
): Promise<HeldMail[]> {
  return await sql<HeldMail[]>`
    select m.name as business, a.* from unnest(${[...banks]}::text[]) as b (bank)
    cross join lateral (
      select merchant_id, alert_id, bank, arrived_at, ${rawOf(sql)} as raw, ${reasonColumn(sql)} from alerts a
      where verdict = 'unreadable' and bank = b.bank and ${hasRaw(sql)} and raw_bytes <= ${mostMailBytes}
      order by arrived_at desc limit ${ofEach}) a
    join merchants m using (merchant_id)
    order by a.arrived_at desc limit ${most}`;
}

/** One unreadable mail. Operators may not read any other, because those belong to the business. */
export async function selectHeldMail(sql: Queryable, merchant_id: number, alert_id: string) {
  const isHeld = sql`and verdict = 'unreadable' and raw_bytes <= ${mostMailBytes}`;
  return await selectKept(sql, { merchant_id, alert_id }, isHeld);
}

/** The most shops of one bank, and mails of one shop, that an entry is tried on. */
const mostShops = 50;
const mostOfShop = 100;

/** A bank's mails, newest first: all unreadable ones, and those of its shops with any verdict. */
export async function selectMailsOf(sql: Queryable, bank: string, most: number) {
  const kept = sql`a.bank = ${bank} and ${hasRaw(sql)} and a.raw_bytes <= ${mostMailBytes}`;
  return await sql<{ merchant_id: number; alert_id: string }[]>`
    with shops as (
      select distinct merchant_id from upi_accounts where bank = ${bank} order by merchant_id desc limit ${mostShops}
    ), chosen as (
      select a.* from shops s cross join lateral (
        select a.merchant_id, a.alert_id, a.arrived_at from alerts a
        where a.merchant_id = s.merchant_id and ${kept}
        order by a.arrived_at desc, a.alert_id desc limit ${mostOfShop}) a
      union
      (select a.merchant_id, a.alert_id, a.arrived_at from alerts a where a.verdict = 'unreadable' and ${kept}
       order by a.arrived_at desc limit ${most})
    )
    select merchant_id, alert_id from chosen order by arrived_at desc limit ${most}`;
}

export async function selectKept(
  sql: Queryable,
  { merchant_id, alert_id }: { merchant_id: number; alert_id: string },
  only = sql``,
): Promise<KeptMail | null> {
  return await sql<KeptMail[]>`
    select merchant_id, alert_id, arrived_at, ${rawOf(sql)} as raw from alerts a
    where merchant_id = ${merchant_id} and alert_id = ${alert_id} and ${hasRaw(sql)} ${only}`.first();
}
