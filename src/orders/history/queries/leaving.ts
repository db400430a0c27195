import { later } from '../../../base/clock.ts';
import type { Queryable } from '../../../base/database/connect.ts';
import { hiddenFor, type Step } from '../history-step.ts';
import { keptDays } from './windows.ts';

/** A business's oldest row of each kind, or null if there is none. */
export type Oldest = {
  merchant_id: number;
  /** Rows at least this old are hidden. */
  hides_before: Date;
  /** Rows at least this old are deleted. Null if nothing is. */
  leaves_before: Date | null;
  leaves_alone: boolean;
  order_at: Date | null;
  unarchived_at: Date | null;
  event_at: Date | null;
  mail_at: Date | null;
  notice_at: Date | null;
};

/**
 * A page of businesses whose history ends, with the first row of each index by time. It reads a few database pages per
 * business, however much it keeps.
 */
export async function selectOldest(
  sql: Queryable,
  { now, after, limit, longest }: { now: Date; after: number; limit: number; longest: number | null },
): Promise<Oldest[]> {
  const leavesBefore = sql`${later(now, -hiddenFor)}::timestamptz - ${keptDays(sql)} * interval '1 day'`;
  return await sql<Oldest[]>`
    select m.merchant_id, ${now}::timestamptz - p.history_days * interval '1 day' as hides_before,
      ${leavesBefore} as leaves_before,
      ${keptDays(sql)} is distinct from ${longest}::int as leaves_alone,
      ${oldestOrder(sql, sql`m.merchant_id`)} as order_at,
      (select o.created_at from orders o where o.merchant_id = m.merchant_id and o.status <> 'manual_review'
        and (o.created_at, o.order_id) > (coalesce(h.archived_to, '-infinity'), coalesce(h.archived_id, ''))
        order by o.created_at, o.order_id limit 1) as unarchived_at,
      (select e.created_at ${leavingEvents(sql, sql`m.merchant_id`, leavesBefore)} limit 1) as event_at,
      (select r.arrived_at from raw_mails r
        where r.merchant_id = m.merchant_id and not ${isNeeded(sql)}
        order by r.arrived_at limit 1) as mail_at,
      (select n.created_at from notices n where n.merchant_id = m.merchant_id
        order by n.notice_id limit 1) as notice_at
    from merchants m
      join plans p on p.plan = m.plan and p.history_days is not null
      left join history_progress h on h.merchant_id = m.merchant_id
    where m.merchant_id > ${after}
    order by m.merchant_id limit ${limit}`;
}

/** An order that waits for a person stays, however old it is. */
function oldestOrder(sql: Queryable, merchantId: unknown) {
  return sql`(select o.created_at from orders o where o.merchant_id = ${merchantId} and o.status <> 'manual_review'
    order by o.created_at, o.order_id limit 1)`;
}

/**
 * Events whose orders are gone and that nobody waits for, oldest first. They end at the oldest remaining order, so that
 * a large backlog is not scanned again and again. `offset 0` keeps the planner from reading all orders.
 */
function leavingEvents(sql: Queryable, merchantId: unknown, leavesBefore: unknown) {
  return sql`from events e
    where e.merchant_id = ${merchantId} and e.created_at <= least(${leavesBefore}, ${oldestOrder(sql, merchantId)})
      and not exists (select from orders o where o.merchant_id = e.merchant_id and o.order_id = e.order_id offset 0)
      and not exists (select from delivery_queue q where q.merchant_id = e.merchant_id and q.event_id = e.event_id offset 0)
    order by e.created_at, e.event_id`;
}

/**
 * Deletes such events, because they hold the customer's name and address. Their bytes and attempts may be dropped with
 * their week. The arrays keep the planner from reading all events for one step.
 */
export const forgetEvents: Step = async (tx, { merchantId, leavesBefore, leavesAlone }, limit) => {
  const gone = await tx<{ event_id: string; created_at: Date }[]>`
    with leaving as materialized (
      select e.event_id, e.created_at ${leavingEvents(tx, merchantId, leavesBefore)}
      limit ${limit} for update of e skip locked
    ), given_up as (
      delete from given_up_events where merchant_id = ${merchantId} and event_id = any (array(select event_id from leaving))
    )
    delete from events e where e.merchant_id = ${merchantId} and e.event_id = any (array(select event_id from leaving))
      and e.created_at <= (select max(created_at) from leaving) returning e.event_id, e.created_at`;
  if (!leavesAlone || gone.length === 0) return gone.length;
  const ids = gone.map(event => event.event_id);
  await tx`
    delete from event_bodies b using unnest(${ids}::text[], ${gone.map(event => event.created_at)}::timestamptz[])
      as n (event_id, created_at)
    where b.merchant_id = ${merchantId} and b.event_id = n.event_id and b.created_at = n.created_at`;
  await tx`delete from delivery_log where merchant_id = ${merchantId} and event_id = any (${ids}::text[])`;
  return gone.length;
};

/** Raw mails are kept for the history window, and while somebody needs them. Their facts are kept longer. */
export const forgetMails: Step = async (tx, { merchantId, leavesBefore, leavesAlone }, limit) => {
  if (!leavesAlone) return 0;
  const rows = await tx`
    with leaving as materialized (
      select r.alert_id, r.arrived_at from raw_mails r
      where r.merchant_id = ${merchantId} and r.arrived_at <= ${leavesBefore} and not ${isNeeded(tx)}
      order by r.arrived_at limit ${limit}
    )
    delete from raw_mails r using leaving l
    where r.merchant_id = ${merchantId} and r.alert_id = l.alert_id and r.arrived_at = l.arrived_at
    returning r.alert_id`;
  return rows.length;
};

/**
 * Whether the bytes of mail `r` stay however old they are. They do if it is still to be judged, waits for a person, or
 * paid an order that came after it (R1). `offset 0` keeps the planner from hashing all alerts for this one mail.
 */
export function isNeeded(sql: Queryable) {
  return sql`(exists (select from alerts a
      where a.merchant_id = r.merchant_id and a.alert_id = r.alert_id and (a.next_try_at is not null or a.verdict = 'unjudged') offset 0)
    or exists (select from handled_credits c
      where c.merchant_id = r.merchant_id and c.alert_id = r.alert_id and (c.state = 'attached'
        or (c.state = 'accepted' and exists (select from orders o
          where o.merchant_id = c.merchant_id and o.order_id = c.order_id and o.archived_at is null))) offset 0))`;
}

/** A notice is deleted with its subject, seen or not, because old news helps nobody. Notice numbers rise with time. */
export const forgetNotices: Step = async (tx, { merchantId, leavesBefore }, limit) => {
  const rows = await tx`
    with oldest as materialized (
      select notice_id, created_at from notices where merchant_id = ${merchantId} order by notice_id limit ${limit}
    )
    delete from notices n using oldest o
    where n.merchant_id = ${merchantId} and n.notice_id = o.notice_id and o.created_at <= ${leavesBefore}
    returning n.notice_id`;
  return rows.length;
};
