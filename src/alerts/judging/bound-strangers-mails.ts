import type { Queryable } from '../../base/database/connect.ts';
import type { World } from '../../base/world.ts';
import { because, type Verdict } from '../../texts/verdicts.ts';
import { alertMetrics } from './metrics.ts';

// Limits how many bytes anybody can make us keep in the name of one business.

const KiB = 1024;
const MiB = 1024 * KiB;

/** The budget that a mail's bytes count against. */
export type Quota = 'stranger' | 'waiting' | 'opened';

/** In compressed bytes per business, like all limits here. A few thousand forgeries are enough as evidence. */
export const mostStrangersBytes = 16 * MiB;
/** A reserve that only mails signed by a bank can fill. */
const mostOpenedBytes = 16 * MiB;
/** Mails that wait for a key. Small ones have their own limit, so that many of them push out no large one. */
export const mostWaitingBytes = 64 * MiB;
export const mostSmallWaitingBytes = 32 * MiB;
/** A plain alert has two or three kilobytes, one with pictures and style sheets a few tens. */
const smallMailBytes = 16 * KiB;

/** Only a small forgery is kept as evidence. */
const keptForgeryBytes = 128 * KiB;

type Judged = { verdict: Verdict; signingDomain: string | null; opened: boolean };

/** Null: the bank's own mail to this business, about money or not. It is never pushed out. */
export function quotaOf({ verdict, signingDomain, opened }: Judged): Quota | null {
  if (verdict === 'retrying') return 'waiting';
  // A bank signed it, but to somebody else. Anybody who has one such mail can send it any number of times.
  if (verdict === 'wrong_recipient') return 'opened';
  if (verdict === 'forged' || (verdict === 'unreadable' && signingDomain === null))
    return opened ? 'opened' : 'stranger';
  return null;
}

export function isKept(verdict: Verdict, quota: Quota | null, bytes: number): boolean {
  return verdict !== 'forged' || quota === 'opened' || bytes <= keptForgeryBytes;
}

/**
 * The oldest mails are dropped first. Of those that wait for a key, the oldest of the fullest hour go first, so that a
 * flood pushes out only mails of its own hour. Dropped waiting mails are given up; other verdicts stay.
 */
export async function boundStrangersMails(world: Pick<World, 'sql' | 'clock' | 'metrics'>): Promise<number> {
  const { ended, emptied } = await enforceQuotas(world.sql, world.clock.now());
  if (ended > 0) alertMetrics(world.metrics).judged.inc({ verdict: 'forged' }, ended);
  return emptied;
}

/**
 * Skips alerts that a judge holds. Returns how many lost their bytes, and how many of them had waited. It analyzes the
 * table first: after a sudden flood, a plan made for one mail would take minutes for thousands.
 */
async function enforceQuotas(sql: Queryable, now: Date) {
  const reason = because('not_kept');
  const least = Math.min(mostStrangersBytes, mostOpenedBytes, mostSmallWaitingBytes);
  const fullQuotas = sql`
    select merchant_id, purse from alerts where purse is not null
    group by merchant_id, purse having sum(kept_bytes) > ${least}::bigint`;
  if ((await sql`${fullQuotas} limit 1`).length === 0) return { emptied: 0, ended: 0 };
  await sql`analyze (skip_locked) alerts (merchant_id, purse, verdict)`;
  const rows = await sql<{ ended: boolean }[]>`
    with full_purses as materialized (${fullQuotas}), placed as (
      select a.merchant_id, a.alert_id, a.arrived_at, a.purse, a.kept_bytes,
        a.purse = 'waiting' and a.kept_bytes <= ${smallMailBytes}::int as is_small,
        case when a.purse = 'waiting' then row_number() over (
          partition by a.merchant_id, a.purse, a.kept_bytes <= ${smallMailBytes}::int, date_trunc('hour', a.arrived_at)
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
      where f.bytes > case when f.is_small then ${mostSmallWaitingBytes}::bigint
          when f.purse = 'waiting' then ${mostWaitingBytes}::bigint
          when f.purse = 'opened' then ${mostOpenedBytes}::bigint else ${mostStrangersBytes}::bigint end
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
