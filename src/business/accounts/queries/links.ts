import type { Queryable } from '../../../base/database/connect.ts';
import type { Role } from '../may-do.ts';
import type { PresentedToken } from '../tokens.ts';

export type LinkPurpose = 'join' | 'open_business' | 'recover';

export type LinkRow = {
  merchant_id: number;
  link_id: string;
  purpose: LinkPurpose;
  email: string;
  role: Role | null;
  business_name: string | null;
  user_id: string | null;
  /** The name of a person without a mail address; `email` is then reserved. */
  person: string | null;
  made_by: string;
  created_at: Date;
  expires_at: Date;
};

export async function insertLink(sql: Queryable, row: LinkRow & { token_hash: Buffer }): Promise<void> {
  await sql`insert into account_links ${sql({ ...row })}`;
}

export async function selectLink(
  sql: Queryable,
  { merchantId, hash }: PresentedToken,
  purpose: LinkPurpose,
  now: Date,
): Promise<LinkRow | null> {
  return await sql<LinkRow[]>`
    select merchant_id, link_id, purpose, email, role, business_name, user_id, person, made_by, created_at, expires_at
    from account_links
    where merchant_id = ${merchantId} and token_hash = ${hash} and purpose = ${purpose}
      and used_at is null and expires_at > ${now}`.first();
}

export async function markLinkUsed(sql: Queryable, merchantId: number, linkId: string, now: Date) {
  return await sql`
    update account_links set used_at = ${now}
    where merchant_id = ${merchantId} and link_id = ${linkId} and used_at is null and expires_at > ${now}
    returning link_id`.some();
}

export async function listInvitations(sql: Queryable, merchantId: number, now: Date): Promise<LinkRow[]> {
  return await sql<LinkRow[]>`
    select merchant_id, link_id, purpose, email, role, business_name, user_id, person, made_by, created_at, expires_at
    from account_links
    where merchant_id = ${merchantId} and purpose = 'join' and used_at is null and expires_at > ${now}
    order by created_at, link_id`;
}

export async function deleteInvitationsBy(sql: Queryable, merchantId: number, madeBy: string): Promise<void> {
  await sql`
    delete from account_links
    where merchant_id = ${merchantId} and purpose = 'join' and made_by = ${madeBy} and used_at is null`;
}

export async function deleteInvitation(sql: Queryable, merchantId: number, linkId: string) {
  return await sql<{ email: string }[]>`
    delete from account_links
    where merchant_id = ${merchantId} and link_id = ${linkId} and purpose = 'join' and used_at is null
    returning email`.value();
}

export async function deleteLinksOfUser(sql: Queryable, merchantId: number, userId: string): Promise<void> {
  await sql`delete from account_links where merchant_id = ${merchantId} and user_id = ${userId}`;
}
