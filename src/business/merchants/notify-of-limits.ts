import type { Queryable, Transaction } from '../../base/database/connect.ts';
import { type Paise, rupees } from '../../base/money.ts';
import { randomBase62 } from '../../base/random.ts';
import type { World } from '../../base/world.ts';
import { notifyOwner } from '../../outbox/notices/notify-owner.ts';
import { indianMonth } from './indian-month.ts';

const mostInARound = 200;

/**
 * Notifies owners that their month is nearly full or full, or that their plan pauses accounts. Runs apart from
 * payments, so a crash only delays it. Each step is reported once per month and limit, because a larger plan has a new
 * limit. Returns the number of businesses checked.
 */
export async function notifyOfLimits({ sql, clock }: Pick<World, 'sql' | 'clock'>): Promise<number> {
  const now = clock.now();
  const found = await selectAtLimit(sql, now, { limit: mostInARound, unnotified: true });
  for (const merchant of found)
    await sql.begin(async tx => {
      await notifyOfMonth(tx, merchant, now);
      await notifyOfPausedAccounts(tx, merchant, now);
    });
  return found.length;
}

async function notifyOfMonth(tx: Transaction, merchant: AtLimit, now: Date): Promise<void> {
  const { merchant_id: merchantId, month, collected_paise: collected, monthly_limit_paise: limit } = merchant;
  if (limit === null || collected * 100 < limit * warnedFrom) return;
  const isFull = collected >= limit;
  const facts = { limit: inRupees(limit), collected: inRupees(collected) };
  const dedupeKey = `plan_month ${month} ${limit} ${isFull ? 100 : warnedFrom}`;
  await notifyOwner(tx, {
    merchantId,
    now,
    dedupeKey,
    ...(isFull
      ? { kind: 'month_full', facts }
      : { kind: 'month_nearly_full', facts: { ...facts, percent: Math.floor((collected * 100) / limit) } }),
  });
}

async function notifyOfPausedAccounts(tx: Transaction, merchant: AtLimit, now: Date): Promise<void> {
  const { merchant_id: merchantId, account_limit: limit, paused } = merchant;
  if (!(await notePaused(tx, merchantId, paused)) || paused === 0 || limit === null) return;
  await notifyOwner(tx, {
    merchantId,
    now,
    kind: 'accounts_paused',
    facts: { count: paused, limit },
    dedupeKey: `accounts_paused ${randomBase62(16)}`,
  });
}

function inRupees(paise: number): string {
  return rupees(paise as Paise).toLocaleString('en-IN', { minimumFractionDigits: 2 });
}

export type AtLimit = {
  merchant_id: number;
  name: string;
  plan: string;
  month: string;
  collected_paise: number;
  monthly_limit_paise: number | null;
  account_limit: number | null;
  paused: number;
};

/** Owners are warned from this percentage of the month's limit. */
const warnedFrom = 80;

/** The fullest come first. `unnotified`: only owners not yet notified of this month's step or of paused accounts. */
export async function selectAtLimit(
  sql: Queryable,
  now: Date,
  { limit, unnotified }: { limit: number; unnotified: boolean },
): Promise<AtLimit[]> {
  return await sql<AtLimit[]>`
    select m.merchant_id, m.name, m.plan, to_char(${indianMonth(sql, now)}, 'YYYY-MM') as month, c.collected_paise,
      p.monthly_limit_paise, p.account_limit, a.paused
    from plans p join merchants m on m.plan = p.plan cross join lateral (
      select coalesce((select c.collected_paise from collections c
        where c.merchant_id = m.merchant_id and c.month = ${indianMonth(sql, now)}), 0)::bigint as collected_paise) as c
      cross join lateral (select case when p.account_limit is null then 0 else greatest(0, (select count(*) from upi_accounts u
        where u.merchant_id = m.merchant_id and u.removed_at is null) - p.account_limit) end::int as paused) as a
    where (p.monthly_limit_paise is not null or p.account_limit is not null or m.paused_told > 0)
      and m.deletion_requested_at is null and m.moved_at is null and ${
        unnotified
          ? sql`(a.paused <> m.paused_told or (c.collected_paise * 100 >= p.monthly_limit_paise * ${warnedFrom}::int
        and not exists (select from notices n where n.merchant_id = m.merchant_id and n.dedupe_key = concat_ws(' ',
          'plan_month', to_char(${indianMonth(sql, now)}, 'YYYY-MM'), p.monthly_limit_paise,
          case when c.collected_paise >= p.monthly_limit_paise then 100 else ${warnedFrom}::int end))))`
          : sql`(a.paused > 0 or c.collected_paise * 100 >= p.monthly_limit_paise * ${warnedFrom}::int)`
      }
    order by c.collected_paise::float8 / p.monthly_limit_paise desc nulls last, m.merchant_id limit ${limit}`;
}

/** Stores how many paused accounts the owner knows of. Returns false if another process was faster. */
async function notePaused(sql: Queryable, merchantId: number, paused: number): Promise<boolean> {
  return await sql`
    update merchants set paused_told = ${paused} where merchant_id = ${merchantId} and paused_told <> ${paused}
    returning merchant_id`.some();
}
