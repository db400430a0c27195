import { later } from '../../clock.ts';
import type { Queryable } from '../../database/connect.ts';
import { payableTime } from '../../time-windows.ts';
import { LostLease } from '../mail-failure.ts';
import type { Held } from './leases.ts';

export type Position = {
  uidvalidity: number;
  next_uid: number;
  scan_from: Date;
  last_mails: readonly string[];
};

export async function readPosition(
  sql: Queryable,
  merchantId: number,
  folder: string,
): Promise<Position | null> {
  const [row] = await sql<Position[]>`
    select uidvalidity, next_uid, scan_from, last_mails from mailbox_positions
    where merchant_id = ${merchantId} and folder = ${folder}`;
  return row ?? null;
}

/**
 * Holds the lease (`holdLease`) and writes the position in one message: a thousand mailboxes do this for every folder
 * when a process starts. The lease is locked before the position is written, as in a transaction.
 */
export async function writeHeldPosition(
  sql: Queryable,
  { merchantId, fence }: Held,
  folder: string,
  { uidvalidity, next_uid, scan_from, last_mails }: Position,
): Promise<void> {
  const rows = await sql`
    with held as (
      select merchant_id from mailbox_leases where merchant_id = ${merchantId} and fence = ${fence} for share
    )
    insert into mailbox_positions (merchant_id, folder, uidvalidity, next_uid, scan_from, last_mails)
    select merchant_id, ${folder}, ${uidvalidity}::bigint, ${next_uid}::bigint, ${scan_from}::timestamptz,
      ${last_mails}::text[] from held
    on conflict (merchant_id, folder) do update set
      uidvalidity = excluded.uidvalidity, next_uid = excluded.next_uid, scan_from = excluded.scan_from,
      last_mails = excluded.last_mails
    returning merchant_id`;
  if (rows.length === 0) throw new LostLease(`the lease of mailbox ${merchantId} went to another process`);
}

/** As its server numbers its mails now. */
type Folder = { folder: string; uidvalidity: number };
export type Place = { uid: number; emailId: string | null };

/** Which of these mails are stored already, found in this folder or, by the provider's id, in another. */
export async function alreadyFound(
  sql: Queryable,
  merchantId: number,
  { folder, uidvalidity }: Folder,
  places: readonly Place[],
): Promise<Set<number>> {
  if (places.length === 0) return new Set();
  const rows = await sql<{ uid: number }[]>`
    select p.uid from unnest(${places.map(place => place.uid)}::bigint[], ${places.map(place => place.emailId)}::text[])
      as p (uid, email_id)
    where exists (select from found_mails f where f.merchant_id = ${merchantId} and f.folder = ${folder}
        and f.uidvalidity = ${uidvalidity} and f.uid = p.uid)
      or exists (select from found_mails f where f.merchant_id = ${merchantId} and f.email_id = p.email_id)`;
  return new Set(rows.map(row => row.uid));
}

export async function insertFound(
  sql: Queryable,
  merchantId: number,
  { folder, uidvalidity }: Folder,
  place: Place,
  now: Date,
): Promise<void> {
  await sql`
    insert into found_mails (merchant_id, folder, uidvalidity, uid, email_id, found_at)
    values (${merchantId}, ${folder}, ${uidvalidity}, ${place.uid}, ${place.emailId}, ${now})
    on conflict do nothing`;
}

export async function forgetFound(sql: Queryable, merchantId: number, before: Date): Promise<void> {
  await sql`delete from found_mails where merchant_id = ${merchantId} and found_at < ${before}`;
}

/** The moment the oldest order that can still be paid was created, or null when none can. */
export async function oldestOpenWindow(
  sql: Queryable,
  merchantId: number,
  payableSince: Date,
): Promise<Date | null> {
  const [row] = await sql<{ oldest: Date | null }[]>`
    select min(created_at) as oldest from orders
    where merchant_id = ${merchantId} and expires_at > ${payableSince}
      and status in ('pending', 'manual_review')
      -- What the index knows: those of the last minutes, not every order that nobody ever paid.
      and created_at > ${later(payableSince, -payableTime)}`;
  return row?.oldest ?? null;
}

/** Places that mean other mails now. */
export async function forgetFolder(sql: Queryable, merchantId: number, folder: string): Promise<void> {
  await sql`delete from found_mails where merchant_id = ${merchantId} and folder = ${folder}`;
}
