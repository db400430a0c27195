import type { Queryable } from '../../../base/database/connect.ts';
import type { Reason } from '../../../texts/verdicts.ts';

/** In bytes, per business. */
type Limits = { stranger: number; opened: number; waiting: number; smallWaiting: number; small: number };

/**
 * Skips alerts that a judge holds. Returns how many lost their bytes, and how many of them had waited. It analyzes the
 * table first: after a sudden flood, a plan made for one mail would take minutes for thousands.
 */
export async function enforceQuotas(sql: Queryable, now: Date, limits: Limits, reason: Reason) {
  const least = Math.min(limits.stranger, limits.opened, limits.smallWaiting);
  const fullQuotas = sql`
    select merchant_id, purse from alerts where purse is not null
    group by merchant_id, purse having sum(kept_bytes) > ${least}::bigint`;
  if ((await sql`${fullQuotas} limit 1`).length === 0) return { emptied: 0, ended: 0 };
  await sql`analyze (skip_locked) alerts (merchant_id, purse, verdict)`;
  const rows = await sql<{ ended: boolean }[]>`
    with full_purses as materialized (${fullQuotas}), placed as (
      select a.merchant_id, a.alert_id, a.arrived_at, a.purse, a.kept_bytes,
        a.purse = 'waiting' and a.kept_bytes <= ${limits.small}::int as is_small,
        case when a.purse = 'waiting' then row_number() over (
          partition by a.merchant_id, a.purse, a.kept_bytes <= ${limits.small}::int, date_trunc('hour', a.arrived_at)
          order by a.arrived_at desc, a.alert_id) else 0 end as place
      from alerts a join full_purses f on f.merchant_id = a.merchant_id and f.purse = a.purse
      where a.verdict in ('retrying', 'forged', 'unreadable', 'wrong_recipient')
    ), filled as (
      select p.*, sum(kept_bytes) over (
        partition by merchant_id, purse, is_small order by place, arrived_at desc, alert_id) as bytes
      from placed p
    ), emptied as (
      update alerts a set purse = null, kept_bytes = null,
        verdict = case when a.verdict = 'retrying' then 'forged' else a.verdict end,
        reason_code = case when a.verdict = 'retrying' then ${reason.code}::text else a.reason_code end,
        facts = case when a.verdict = 'retrying' then ${sql.json(reason.facts)}::jsonb else a.facts end,
        judged_at = case when a.verdict = 'retrying' then ${now}::timestamptz else a.judged_at end,
        next_try_at = null
      from filled f
      where f.bytes > case when f.is_small then ${limits.smallWaiting}::bigint
          when f.purse = 'waiting' then ${limits.waiting}::bigint
          when f.purse = 'opened' then ${limits.opened}::bigint else ${limits.stranger}::bigint end
        and a.merchant_id = f.merchant_id and a.alert_id = f.alert_id
        and a.verdict in ('retrying', 'forged', 'unreadable', 'wrong_recipient') and a.purse = f.purse and a.claim is null
      returning a.merchant_id, a.alert_id, a.arrived_at, f.purse = 'waiting' as ended
    ), gone as (
      delete from raw_mails r using emptied e
      where r.merchant_id = e.merchant_id and r.alert_id = e.alert_id and r.arrived_at = e.arrived_at
    )
    select ended from emptied`;
  return { emptied: rows.length, ended: rows.filter(row => row.ended).length };
}
