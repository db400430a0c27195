import { later, minute } from '../../../base/clock.ts';
import type { Queryable, Transaction } from '../../../base/database/connect.ts';
import { lateWindow } from '../../../base/time-windows.ts';
import type { ProviderId } from '../providers.ts';

export type MailboxRow = {
  merchant_id: number;
  provider: ProviderId;
  address: string;
  username: string;
  host: string;
  port: number;
  credential: string;
  extra_folders: readonly string[];
  revision: number;
  connected_at: Date;
  /** The end of a disconnected mailbox; null while it is connected. */
  read_until: Date | null;
};

export async function readMailbox(sql: Queryable, merchantId: number): Promise<MailboxRow | null> {
  return await sql<MailboxRow[]>`select * from mailboxes where merchant_id = ${merchantId}`.first();
}

export type WatchedMailbox = MailboxRow & { login_failures: number; login_failed_at: Date | null };

export async function readMailboxes(sql: Queryable, merchantIds: readonly number[]) {
  return await sql<WatchedMailbox[]>`
    select m.*, coalesce(s.login_failures, 0) as login_failures, s.login_failed_at
    from mailboxes m left join mailbox_states s using (merchant_id)
    where m.merchant_id = any(${merchantIds}::bigint[])`;
}

/** The lock lasts until the transaction ends, so that a request to leave comes before or after it. */
export async function lockUnlessLeaving(tx: Transaction, merchantId: number): Promise<boolean> {
  return await tx`
    select stop_if_moved(moved_at) from merchants
    where merchant_id = ${merchantId} and deletion_requested_at is null for share`.some();
}

/** New settings keep the positions of the same mailbox; another mailbox starts from the beginning. */
export async function upsertMailbox(sql: Queryable, row: Omit<MailboxRow, 'revision' | 'read_until'>) {
  await sql`
    delete from mailboxes
    where merchant_id = ${row.merchant_id}
      and (address, host, port, username) is distinct from
          (${row.address}, ${row.host}, ${row.port}, ${row.username})`;
  await sql`
    insert into mailboxes (merchant_id, provider, address, username, host, port, credential, extra_folders,
      revision, connected_at)
    values (${row.merchant_id}, ${row.provider}, ${row.address}, ${row.username}, ${row.host}, ${row.port},
      ${row.credential}, ${row.extra_folders}, nextval('mailbox_revisions'), ${row.connected_at})
    on conflict (merchant_id) do update set
      provider = excluded.provider, credential = excluded.credential, extra_folders = excluded.extra_folders,
      revision = excluded.revision, read_until = null`;
  await sql`delete from unconfirmable where merchant_id = ${row.merchant_id}`;
  await sql`insert into mailbox_leases (merchant_id) values (${row.merchant_id}) on conflict do nothing`;
  // A new credential gets new tries, even after refused ones.
  await sql`
    insert into mailbox_states (merchant_id) values (${row.merchant_id})
    on conflict (merchant_id) do update set needs_login = false, login_failures = 0, login_failed_at = null`;
}

/** Time for mails that are still being delivered. */
const onTheirWay = 2 * minute;

/** Until when an alert may come for an order that is open or waits for a person; null if none can be paid. */
export async function selectLastAwaited(sql: Queryable, merchantId: number, now: Date): Promise<Date | null> {
  const payableSince = later(now, -lateWindow);
  const [row] = await sql<{ last: Date | null }[]>`
    select max(expires_at) as last from orders
    where merchant_id = ${merchantId} and status in ('pending', 'manual_review') and expires_at > ${payableSince}
      and created_at > ${payableSince}::timestamptz - interval '1 hour'`;
  return row?.last ? later(row.last, lateWindow + onTheirWay) : null;
}

/** The moment can only move earlier, never later. */
export async function setReadUntil(sql: Queryable, merchantId: number, moment: Date): Promise<boolean> {
  return await sql`
    update mailboxes set read_until = least(read_until, ${moment}) where merchant_id = ${merchantId}
    returning merchant_id`.some();
}

export async function deleteEndedMailboxes(sql: Queryable, now: Date): Promise<number[]> {
  return await sql<{ merchant_id: number }[]>`
    delete from mailboxes where read_until <= ${now} returning merchant_id`.column();
}

/** The credential is deleted with the row. */
export async function deleteMailbox(sql: Queryable, merchantId: number): Promise<boolean> {
  return await sql`delete from mailboxes where merchant_id = ${merchantId} returning merchant_id`.some();
}

/** Providers may return a new refresh token with each access token; the old one then ends. */
export async function replaceCredential(
  sql: Queryable,
  merchantId: number,
  revision: number,
  credential: string,
): Promise<boolean> {
  return await sql`
    update mailboxes set credential = ${credential}
    where merchant_id = ${merchantId} and revision = ${revision} returning merchant_id`.some();
}
