import type { Queryable, Transaction } from '../../database/connect.ts';

/** The oldest of each kind that a business still has; null where it has none. */
export type Oldest = {
  merchant_id: number;
  leaves_before: Date;
  leaves_alone: boolean;
  order_at: Date | null;
  unarchived_at: Date | null;
  event_at: Date | null;
  mail_at: Date | null;
  notice_at: Date | null;
};

/** The longest history window in use, in days; null when somebody's has no end, or there is nobody. */
export async function selectLongestWindow(sql: Queryable): Promise<number | null> {
  const [row] = await sql<{ days: number | null }[]>`
    select case when bool_and(p.history_days is not null) then max(p.history_days) end as days
    from plans p where exists (select from merchants m where m.plan = p.plan)`;
  return row?.days ?? null;
}

/**
 * A page of businesses whose history has an end, with the first row of each of their indexes by time: a few pages of
 * the database for a business, however much it keeps.
 */
export async function selectOldest(
  sql: Queryable,
  { now, after, limit, longest }: { now: Date; after: number; limit: number; longest: number | null },
): Promise<Oldest[]> {
  return await sql<Oldest[]>`
    select m.merchant_id, ${now}::timestamptz - p.history_days * interval '1 day' as leaves_before,
      p.history_days is distinct from ${longest}::int as leaves_alone,
      (select o.created_at from orders o where o.merchant_id = m.merchant_id
        order by o.created_at, o.order_id limit 1) as order_at,
      (select o.created_at from orders o where o.merchant_id = m.merchant_id
        and (o.created_at, o.order_id) > (coalesce(h.archived_to, '-infinity'), coalesce(h.archived_id, ''))
        order by o.created_at, o.order_id limit 1) as unarchived_at,
      (select e.created_at from events e where e.merchant_id = m.merchant_id
        order by e.created_at, e.event_id limit 1) as event_at,
      (select a.arrived_at from alerts a where a.merchant_id = m.merchant_id
        and (a.arrived_at, a.alert_id) > (coalesce(h.mails_to, '-infinity'), coalesce(h.mails_id, ''))
        order by a.arrived_at, a.alert_id limit 1) as mail_at,
      (select n.created_at from notices n where n.merchant_id = m.merchant_id
        order by n.notice_id limit 1) as notice_at
    from merchants m
      join plans p on p.plan = m.plan and p.history_days is not null
      left join history_progress h on h.merchant_id = m.merchant_id
    where m.merchant_id > ${after}
    order by m.merchant_id limit ${limit}`;
}

/** Whose orders are gone and that wait for nobody any more, oldest first. Bytes and attempts may leave with their week. */
export async function deleteOldEvents(
  tx: Transaction,
  merchantId: number,
  { upTo, limit, leavesAlone }: { upTo: Date; limit: number; leavesAlone: boolean },
): Promise<number> {
  const gone = await tx<{ event_id: string; created_at: Date }[]>`
    with leaving as materialized (
      select e.event_id from events e
      where e.merchant_id = ${merchantId} and e.created_at <= ${upTo}
        and not exists (select from orders o where o.merchant_id = e.merchant_id and o.order_id = e.order_id)
        and not exists (select from delivery_queue q where q.merchant_id = e.merchant_id and q.event_id = e.event_id)
      order by e.created_at, e.event_id limit ${limit} for update of e skip locked
    ), given_up as (
      delete from given_up_events g using leaving l where g.merchant_id = ${merchantId} and g.event_id = l.event_id
    )
    delete from events e using leaving l where e.merchant_id = ${merchantId} and e.event_id = l.event_id
    returning e.event_id, e.created_at`;
  if (!leavesAlone || gone.length === 0) return gone.length;
  const ids = gone.map(event => event.event_id);
  await tx`
    delete from event_bodies b using unnest(${ids}::text[], ${gone.map(event => event.created_at)}::timestamptz[])
      as n (event_id, created_at)
    where b.merchant_id = ${merchantId} and b.event_id = n.event_id and b.created_at = n.created_at`;
  await tx`delete from delivery_log where merchant_id = ${merchantId} and event_id = any (${ids}::text[])`;
  return gone.length;
}

/** The bytes of the oldest mails. One that is still to be judged keeps them, however old, and those behind it wait. */
export async function deleteOldMails(
  tx: Transaction,
  merchantId: number,
  { upTo, limit }: { upTo: Date; limit: number },
): Promise<number> {
  const next = await tx<{ alert_id: string; arrived_at: Date; is_open: boolean }[]>`
    select a.alert_id, a.arrived_at, a.next_try_at is not null or a.verdict = 'unjudged' as is_open
    from alerts a left join history_progress h on h.merchant_id = a.merchant_id
    where a.merchant_id = ${merchantId} and a.arrived_at <= ${upTo}
      and (a.arrived_at, a.alert_id) > (coalesce(h.mails_to, '-infinity'), coalesce(h.mails_id, ''))
    order by a.arrived_at, a.alert_id limit ${limit}`;
  const end = next.findIndex(alert => alert.is_open);
  const leaving = end === -1 ? next : next.slice(0, end);
  const last = leaving.at(-1);
  if (!last) return 0;
  await tx`
    delete from raw_mails r using unnest(${leaving.map(alert => alert.alert_id)}::text[],
      ${leaving.map(alert => alert.arrived_at)}::timestamptz[]) as n (alert_id, arrived_at)
    where r.merchant_id = ${merchantId} and r.alert_id = n.alert_id and r.arrived_at = n.arrived_at`;
  await tx`
    insert into history_progress (merchant_id, mails_to, mails_id)
    values (${merchantId}, ${last.arrived_at}, ${last.alert_id})
    on conflict (merchant_id) do update set mails_to = excluded.mails_to, mails_id = excluded.mails_id`;
  return leaving.length;
}

/** Also the unseen ones: nobody wants to be told of a quarter ago. Their numbers rise with their time. */
export async function deleteOldNotices(
  tx: Transaction,
  merchantId: number,
  { upTo, limit }: { upTo: Date; limit: number },
): Promise<number> {
  const rows = await tx`
    with oldest as materialized (
      select notice_id, created_at from notices where merchant_id = ${merchantId} order by notice_id limit ${limit}
    )
    delete from notices n using oldest o
    where n.merchant_id = ${merchantId} and n.notice_id = o.notice_id and o.created_at <= ${upTo}
    returning n.notice_id`;
  return rows.length;
}
