import { randomInt } from 'node:crypto';
import type { Queryable } from '../../../base/database/connect.ts';
import type { Query } from '../../../base/database/query.ts';
import { clearLease, isFree, type RowLease, setLease } from '../../../base/database/row-lease.ts';
import { type AlertFacts, setFacts } from '../../../payments/matching/credit.ts';
import { openVerdicts, type Reason, type Verdict } from '../../../texts/verdicts.ts';
import { deleteRaw, rawOf } from '../../queries.ts';
import type { Quota } from '../bound-strangers-mails.ts';

/** An alert in the hands of one judge. `tries` counts this one. */
export type Claimed = {
  merchant_id: number;
  alert_id: string;
  claim: string;
  arrived_at: Date;
  found_in: string;
  raw: Buffer | null;
  /** The mail itself, in the hands of whoever has just stored it. */
  whole?: Buffer;
  verdict: Verdict;
  tries: number;
  /** Those of its arrival. */
  addresses: string[];
  /** Since when its key is known not to fit. */
  doubted_at: Date | null;
};

type Share = {
  most: number;
  /** Merchants who have enough in hand already. */
  busy: readonly number[];
};

type Fragment = Query<object[]>;

/** How many of one merchant are taken at once from each end of their line. */
export const perLane = 2;

/**
 * Claims what is due, fairly: a few per merchant, merchants in any order, walking from one to the next by the index, so
 * that one merchant's ten thousand mails cost the others nothing. Within a merchant, fresh mails are taken from both
 * ends, newest and oldest, and retries come last, also from both ends: a genuine alert, fresh or retried, waits neither
 * behind a flood nor behind the flood's retries.
 *
 * Nobody asks for more than 16. It stands there as a number, because of a limit that the planner does not know it
 * believes a tenth of all rows, and reads the whole of a small table of alerts to find one.
 */
export async function claimAlerts(sql: Queryable, lease: RowLease, { most, busy }: Share) {
  const due = sql`a.next_try_at <= ${lease.now} and ${isFree(sql, lease.now)}`;
  const [fresh, retried] = [sql`a.tries = 0`, sql`a.tries > 0`];
  const [newest, oldest] = [sql`a.next_try_at desc`, sql`a.next_try_at`];
  const merchantWith = (tries: Fragment, after = sql``) => sql`
    (select a.merchant_id from alerts a where a.next_try_at is not null and ${tries} ${after}
     order by a.merchant_id limit 1)`;
  const next = sql`and a.merchant_id > w.merchant_id`;
  const lane = (number: Fragment, tries: Fragment, order: Fragment) => sql`
    (select a.alert_id, ${number} as lane from alerts a
     where a.merchant_id = m.merchant_id and ${tries} and ${due}
     order by ${order} limit ${perLane})`;
  return await sql<Claimed[]>`
    with recursive waiting as (
      ${merchantWith(fresh)}
      union all
      select ${merchantWith(fresh, next)} from waiting w where w.merchant_id is not null
    ), again as (
      ${merchantWith(retried)}
      union all
      select ${merchantWith(retried, next)} from again w where w.merchant_id is not null
    ), merchants_due as (
      select merchant_id, hashint8extended(merchant_id, ${randomInt(2 ** 31)}::bigint) as lot from (
        select merchant_id from waiting union select merchant_id from again) m
      where merchant_id is not null and merchant_id <> all (${busy as number[]}::bigint[])
    ), chosen as (
      select m.merchant_id, c.alert_id, c.lane, m.lot from merchants_due m cross join lateral (
        ${lane(sql`0`, fresh, newest)}
        union all ${lane(sql`1`, fresh, oldest)}
        union all ${lane(sql`2`, retried, newest)}
        union all ${lane(sql`3`, retried, oldest)}
      ) c
    ), first as (
      select merchant_id, alert_id from (
        select merchant_id, alert_id, min(lane) as lane, min(lot) as lot from chosen
        group by 1, 2 order by 3, 4 limit 16) c
      order by lane, lot limit ${most}
    ), locked as (
      select a.merchant_id, a.alert_id from alerts a join first using (merchant_id, alert_id)
      where ${due}
      for update of a skip locked
    )
    update alerts a set ${setLease(sql, lease)}, tries = a.tries + 1
    from locked l where a.merchant_id = l.merchant_id and a.alert_id = l.alert_id
    returning ${claimedColumns(sql)}`;
}

/** What a judge needs to know of the alert `a` that it takes in hand. */
export function claimedColumns(sql: Queryable) {
  return sql`a.merchant_id, a.alert_id, a.claim, a.arrived_at, a.found_in, ${rawOf(sql)} as raw, a.verdict, a.tries, a.doubted_at, a.addresses`;
}

/**
 * Renews the claims on these alerts only: those of a judge that died, or that were dropped, must run out. It waits for
 * none that is locked, as one is whose verdict is being written: whoever waits while it holds others can make a circle.
 */
export async function renewClaims(
  sql: Queryable,
  lease: RowLease,
  alerts: readonly Claimed[],
): Promise<void> {
  await sql`
    with mine as (
      select a.merchant_id, a.alert_id from alerts a
        join unnest(${alerts.map(alert => alert.merchant_id)}::bigint[], ${alerts.map(alert => alert.alert_id)}::text[])
          as held (merchant_id, alert_id) using (merchant_id, alert_id)
      where a.claim = ${lease.claim}
      for update of a skip locked
    )
    update alerts a set ${setLease(sql, lease)}
    from mine where a.merchant_id = mine.merchant_id and a.alert_id = mine.alert_id`;
}

/**
 * A fault of our own is no try. The lease ends early and the due moment stays, so that it counts as waiting all the time.
 * One try is left over: it is taken behind fresh mails, and the first verdict sets the count right.
 */
export async function uncountTry(sql: Queryable, { merchant_id, alert_id, claim }: Claimed, until: Date) {
  await sql`
    update alerts set tries = greatest(tries - 1, 1), leased_until = ${until}
    where merchant_id = ${merchant_id} and alert_id = ${alert_id} and claim = ${claim}`;
}

export type VerdictToStore = {
  verdict: Verdict;
  reason: Reason;
  tries: number;
  judgedAt: Date;
  nextTryAt: Date | null;
  doubtedAt: Date | null;
  /** Out of which budget its bytes are kept; `none` lets go of them. */
  quota: Quota | null | 'none';
  /** The line of the bank that keeps it from being read. */
  heldLine: number | null;
  /** Null after a fault of ours: what is known of the mail stays. */
  facts: AlertFacts | null;
};

/** A verdict other than those of matching. Ends the claim; false when another judge has it by now. */
export async function storeRefusal(
  sql: Queryable,
  { merchant_id, alert_id, claim, raw }: Claimed,
  { verdict, reason, tries, judgedAt, nextTryAt, doubtedAt, quota, facts, heldLine }: VerdictToStore,
): Promise<boolean> {
  const isKept = quota !== 'none';
  const rows = await sql<{ arrived_at: Date }[]>`
    update alerts set verdict = ${verdict}, reason_code = ${reason.code}, facts = ${sql.json(reason.facts)},
      tries = ${tries}, judged_at = ${judgedAt}, next_try_at = ${nextTryAt}, doubted_at = ${doubtedAt}, held_line = ${heldLine},
      purse = ${isKept ? quota : null}, kept_bytes = ${isKept && quota !== null ? (raw?.length ?? 0) : null}, ${clearLease(sql)}
      ${facts === null ? sql`` : sql`, ${setFacts(sql, facts)}`}
    where merchant_id = ${merchant_id} and alert_id = ${alert_id} and claim = ${claim}
      and verdict in ${sql([...openVerdicts])}
    returning arrived_at`;
  if (!isKept && rows[0]) await deleteRaw(sql, { merchant_id, alert_id, arrived_at: rows[0].arrived_at });
  return rows.length === 1;
}

/** Alerts that nobody has judged yet, however often it was tried, and those that wait for a passing fault to end. */
export async function countWaiting(sql: Queryable, now: Date) {
  const [row] = await sql<{ waiting: number; oldest: Date | null; retrying: number }[]>`
    select count(*) filter (where verdict = 'unjudged' and next_try_at <= ${now}) as waiting,
      min(next_try_at) filter (where verdict = 'unjudged' and next_try_at <= ${now}) as oldest,
      count(*) filter (where verdict = 'retrying') as retrying
    from alerts where next_try_at is not null`;
  return row!;
}
