import { randomInt } from 'node:crypto';
import type { Queryable } from '../../../base/database/connect.ts';
import type { Query } from '../../../base/database/query.ts';
import { clearLease, isFree, type RowLease, setLease } from '../../../base/database/row-lease.ts';
import { type AlertFacts, setFacts } from '../../../payments/matching/credit.ts';
import { openVerdicts, type Reason, type Verdict } from '../../../texts/verdicts.ts';
import { deleteRaw, rawOf } from '../../queries.ts';
import type { Quota } from '../bound-strangers-mails.ts';

/** An alert claimed by one judge. `tries` includes this try. */
export type Claimed = {
  merchant_id: number;
  alert_id: string;
  claim: string;
  arrived_at: Date;
  found_in: string;
  raw: Buffer | null;
  /** The mail itself, if this process has just stored it. */
  whole?: Buffer;
  verdict: Verdict;
  tries: number;
  /** The addresses at its arrival. */
  addresses: string[];
  /** The first time its key did not fit. */
  doubted_at: Date | null;
};

type Share = {
  most: number;
  /** Merchants whose share of slots is used up. */
  busy: readonly number[];
};

type Fragment = Query<object[]>;

/** How many of one merchant's alerts are claimed at once from each end of their queue. */
export const perLane = 2;

/**
 * Claims due alerts fairly: a few per merchant, in random order of merchants. It walks from merchant to merchant by
 * the index, so one merchant's ten thousand mails cost the others nothing. Within a merchant it takes fresh mails from
 * both ends, then retries from both ends. So a genuine alert waits neither behind a flood nor behind the flood's
 * retries.
 *
 * Nobody claims more than 16, and the inner limit is a literal. With an unknown limit the planner expects a tenth of
 * all rows, and reads a small table completely to find one.
 */
export async function claimAlerts(sql: Queryable, lease: RowLease, { most, busy }: Share) {
  const due = sql`a.next_try_at <= ${lease.now} and ${isFree(sql, lease.now)}`;
  const [untried, retried] = [sql`a.tries = 0`, sql`a.tries > 0`];
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
      ${merchantWith(untried)}
      union all
      select ${merchantWith(untried, next)} from waiting w where w.merchant_id is not null
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
        ${lane(sql`0`, untried, newest)}
        union all ${lane(sql`1`, untried, oldest)}
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

/** The columns of alert `a` that a judge needs when it claims it. */
export function claimedColumns(sql: Queryable) {
  return sql`a.merchant_id, a.alert_id, a.claim, a.arrived_at, a.found_in, ${rawOf(sql)} as raw, a.verdict, a.tries, a.doubted_at, a.addresses`;
}

/**
 * Renews the claims on these alerts only, because claims of dead judges and dropped claims must run out. It skips
 * locked rows, such as those whose verdict is being written: waiting for them while holding others could deadlock.
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
 * An error of ours does not count as a try. The lease ends early, and the due time stays, so that the alert counts as
 * waiting all the time. One try remains, so it comes after fresh mails; the first verdict corrects the count.
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
  /** The budget for its bytes; `none` deletes them. */
  quota: Quota | null | 'none';
  /** The bank's line that prevents it from being read. */
  heldLine: number | null;
  /** Null after an error of ours: facts known from before stay. */
  facts: AlertFacts | null;
};

/** Stores a verdict other than those of matching, and ends the claim. False if another judge has the claim now. */
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

/** Counts alerts without a first verdict, after any number of tries, and those that wait after a passing fault. */
export async function countWaiting(sql: Queryable, now: Date) {
  const [row] = await sql<{ waiting: number; oldest: Date | null; retrying: number }[]>`
    select count(*) filter (where verdict = 'unjudged' and next_try_at <= ${now}) as waiting,
      min(next_try_at) filter (where verdict = 'unjudged' and next_try_at <= ${now}) as oldest,
      count(*) filter (where verdict = 'retrying') as retrying
    from alerts where next_try_at is not null`;
  return row!;
}
