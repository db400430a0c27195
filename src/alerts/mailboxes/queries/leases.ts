import { later, minute } from '../../../base/clock.ts';
import type { Queryable, Transaction } from '../../../base/database/connect.ts';
import { isLapsed, leaseEnd } from '../../../base/database/process-lease.ts';
import { LostLease } from '../explain-failure.ts';

/** A message here says that the mailboxes must be shared out again. */
export const mailboxChannel = 'mailboxes';

/** A process's lease. The fencing token proves it in every write; the revision names the settings. */
export type Lease = { merchant_id: number; fence: number; revision: number };

/** The same lease as a watcher names it in its writes. */
export type Held = { merchantId: number; fence: number };

/**
 * Writes the watchers' poll results for many mailboxes in one statement. Returns the places, counted from 1, that were
 * written: their leases are ours and, with `skips`, their rows were not locked.
 */
export type Note<T> = (
  sql: Queryable,
  noted: readonly T[],
  skips: boolean,
) => PromiseLike<{ place: number }[]>;

/** Longer than a new order can be paid, including its mails' delivery time. */
const readOnFor = 20 * minute;

/** Whether the business `b` takes orders or did so recently: alerts for its last orders are still read. */
export const isReadOn = (sql: Queryable, now: Date) => sql`
  coalesce(case when not b.no_new_orders then b.disabled_at end, 'infinity') > ${later(now, -readOnFor)}`;

/** Mailboxes to watch. When a business wants to leave, `disconnectMailbox` ends its mailbox. */
const watchable = (sql: Queryable, now: Date) => sql`
  select m.merchant_id, m.revision from mailboxes m join merchants b using (merchant_id)
  where ${isReadOn(sql, now)} and b.moved_at is null`;

type Turn = { processId: string; leaseMs: number; now: Date };

/** Records that this process lives, deletes long dead ones, and counts living processes and mailboxes. */
export async function beat(sql: Queryable, { processId, leaseMs, now }: Turn) {
  await sql`
    insert into mail_processes (process_id, alive_until)
    values (${processId}, ${leaseEnd(sql, leaseMs)})
    on conflict (process_id) do update set alive_until = excluded.alive_until`;
  await sql`delete from mail_processes where alive_until < statement_timestamp() - interval '1 hour'`;
  const [row] = await sql<{ processes: number; mailboxes: number }[]>`
    select (select count(*) from mail_processes where not (${isLapsed(sql, sql`alive_until`, leaseMs)})) as processes,
           (select count(*) from (${watchable(sql, now)}) w) as mailboxes`;
  return row!;
}

/** An expired lease is still ours until another process takes it: only then the fencing token changes. */
export async function renewLeases(sql: Queryable, { processId, leaseMs, now }: Turn): Promise<Lease[]> {
  return await sql<Lease[]>`
    update mailbox_leases l
    set leased_until = ${leaseEnd(sql, leaseMs)}
    from (${watchable(sql, now)}) w
    where l.merchant_id = w.merchant_id and l.holder = ${processId}
    returning l.merchant_id, l.fence, w.revision`;
}

export async function takeLeases(sql: Queryable, turn: Turn, most: number): Promise<Lease[]> {
  const { processId, leaseMs, now } = turn;
  // A separate query is enough, because a fencing token is compared only within its own mailbox.
  const [drawn] = await sql<{ fence: number }[]>`select nextval('mailbox_fences') as fence`;
  return await sql<Lease[]>`
    with free as (
      select l.merchant_id, w.revision from mailbox_leases l join (${watchable(sql, now)}) w using (merchant_id)
      where ${isLapsed(sql, sql`l.leased_until`, leaseMs)}
      order by l.leased_until
      limit ${most}
      for update of l skip locked
    )
    update mailbox_leases l
    set holder = ${processId}, fence = ${drawn!.fence},
      leased_until = ${leaseEnd(sql, leaseMs)}
    from free
    where l.merchant_id = free.merchant_id
    returning l.merchant_id, l.fence, free.revision`;
}

export async function releaseLease(sql: Queryable, { merchantId, fence }: Held): Promise<void> {
  await sql`
    update mailbox_leases set holder = null, leased_until = '-infinity'
    where merchant_id = ${merchantId} and fence = ${fence}`;
}

export async function leave(sql: Queryable, processId: string): Promise<void> {
  await sql`
    update mailbox_leases set holder = null, leased_until = '-infinity' where holder = ${processId}`;
  await sql`delete from mail_processes where process_id = ${processId}`;
}

/**
 * Holds the lease for the rest of the transaction. A process that wants to take it waits, and one that lost it writes
 * nothing. The mailbox is locked before its lease, in the same order as when one is removed.
 */
export async function lockLease(tx: Transaction, { merchantId, fence }: Held): Promise<void> {
  const rows = await tx`
    select from mailboxes m join mailbox_leases l using (merchant_id)
    where l.merchant_id = ${merchantId} and l.fence = ${fence} for key share of m for share of l`;
  if (rows.length === 0) throw new LostLease(`the lease of mailbox ${merchantId} went to another process`);
}
