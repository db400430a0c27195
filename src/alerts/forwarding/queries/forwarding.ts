import type { Queryable, Transaction } from '../../../base/database/connect.ts';
import { forwardedPlace } from '../../judging/queries/ways.ts';
import { isReadOn } from '../../mailboxes/queries/leases.ts';

export type ForwardRow = {
  address: string;
  works_since: Date | null;
  last_alert_at: Date | null;
};

/** The address in use, not an old one that still takes mail until its end. */
export async function readOpenForwarding(sql: Queryable, merchantId: number): Promise<ForwardRow | null> {
  return await sql<ForwardRow[]>`
    select * from forward_addresses where merchant_id = ${merchantId} and ends_at is null`.first();
}

export async function insertForwarding(
  tx: Transaction,
  { merchantId, address, now }: { merchantId: number; address: string; now: Date },
): Promise<void> {
  await tx`
    insert into forward_addresses (merchant_id, address, opened_at) values (${merchantId}, ${address}, ${now})
    on conflict do nothing`;
}

/** Null ends it at once. */
export async function endForwarding(tx: Transaction, merchantId: number, endsAt: Date | null) {
  const end =
    endsAt === null
      ? tx`delete from forward_addresses`
      : tx`update forward_addresses set ends_at = ${endsAt}`;
  return await tx<{ address: string }[]>`
    ${end} where merchant_id = ${merchantId} and ends_at is null returning address`.value();
}

export async function deleteEndedForwardings(sql: Queryable, now: Date): Promise<void> {
  await sql`delete from forward_addresses where ends_at <= ${now}`;
}

/** The business of this address while it takes mail. A moving business is found too, so that its mail is retried. */
export async function selectRecipient(sql: Queryable, address: string, now: Date): Promise<number | null> {
  return await sql<{ merchant_id: number }[]>`
    select f.merchant_id from forward_addresses f join merchants b using (merchant_id)
    where f.address = ${address} and (f.ends_at is null or f.ends_at > ${now})
      and (b.moved_at is not null or ${isReadOn(sql, now)})`.value();
}

/** Orders can be paid through it from now on. */
export async function markForwardingWorks(tx: Transaction, merchantId: number, now: Date): Promise<void> {
  await tx`
    update forward_addresses set works_since = ${now}
    where merchant_id = ${merchantId} and ends_at is null and works_since is null`;
  await tx`delete from unconfirmable where merchant_id = ${merchantId}`;
}

/** A mail that the bank signed proves that its forwarding works, even if no probe or code came through it. */
export async function proveByAlerts(sql: Queryable, now: Date): Promise<void> {
  await sql`
    with proven as (
      update forward_addresses f set works_since = ${now}
      where works_since is null and ends_at is null
        and exists (select from alerts a where a.merchant_id = f.merchant_id and a.arrived_at >= f.opened_at
          and a.found_in = ${forwardedPlace} and a.signing_domain is not null and a.recipient is not null)
      returning merchant_id)
    delete from unconfirmable where merchant_id in (select merchant_id from proven)`;
}

export type ForwardRequest = {
  asked_by: string;
  provider: string;
  code: string | null;
  link: string | null;
  arrived_at: Date;
};

/** Keeps each sender's newest request. A flood from many addresses pushes out only the oldest. */
export async function writeForwardRequest(
  tx: Transaction,
  merchantId: number,
  request: ForwardRequest,
  most: number,
): Promise<void> {
  await tx`
    insert into forward_requests ${tx({ merchant_id: merchantId, ...request })}
    on conflict (merchant_id, asked_by) do update set provider = excluded.provider, code = excluded.code,
      link = excluded.link, arrived_at = excluded.arrived_at`;
  await tx`
    delete from forward_requests where merchant_id = ${merchantId} and asked_by in (
      select asked_by from forward_requests where merchant_id = ${merchantId}
      order by arrived_at desc, asked_by offset ${most})`;
}

export function listForwardRequests(sql: Queryable, merchantId: number, since: Date) {
  return sql<ForwardRequest[]>`
    select asked_by, provider, code, link, arrived_at from forward_requests
    where merchant_id = ${merchantId} and arrived_at > ${since} order by arrived_at desc`;
}

export async function deleteForwardRequests(tx: Transaction, merchantId: number): Promise<void> {
  await tx`delete from forward_requests where merchant_id = ${merchantId}`;
}
