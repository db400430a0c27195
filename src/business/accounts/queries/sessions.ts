import type { Queryable, Transaction } from '../../../base/database/connect.ts';
import type { Language } from '../../../texts/languages.ts';
import type { Role, VisitorRole } from '../may-do.ts';
import type { PresentedToken } from '../tokens.ts';
import type { Person } from './users.ts';

export type SessionKey = { merchantId: number; sessionId: string };

export type SessionRow = {
  merchant_id: number;
  session_id: string;
  user_id: string;
  stage: 'code' | 'full';
  created_at: Date;
  last_seen_at: Date;
  confirmed_at: Date;
  flash: string | null;
  email: string;
  /** The name of a person without a mail address; else null. */
  person: string | null;
  role: VisitorRole;
  language: Language | null;
  has_totp: boolean;
  /** The business that this operator looks at, while its owner allows it. */
  looks_at: number | null;
  look_until: Date | null;
  business_name: string | null;
  /** Also null if only new orders are refused; the team may go on working. */
  disabled_at: Date | null;
  no_new_orders: boolean;
  disabled_reason: string | null;
  deletion_requested_at: Date | null;
  moved_at: Date | null;
  left_at: Date | null;
};

type Origin = { address: string; agent: string };

type Limits = { idleBefore: Date; startedBefore: Date };

/** Left join: an operator's business is 0, which has no row in `merchants`. */
export async function selectSession(
  sql: Queryable,
  { merchantId, hash }: PresentedToken,
  { idleBefore, startedBefore }: Limits,
  now: Date,
): Promise<SessionRow | null> {
  return await sql<SessionRow[]>`
    select s.merchant_id, s.session_id, s.user_id, s.stage, s.created_at, s.last_seen_at, s.confirmed_at, s.flash,
      u.email, u.name as person, u.role, u.language, u.totp_secret is not null as has_totp,
      l.merchant_id as looks_at, l.look_until, m.name as business_name, m.disabled_reason, m.deletion_requested_at, m.moved_at, m.left_at,
      case when not m.no_new_orders then m.disabled_at end as disabled_at,
      coalesce(m.no_new_orders and m.disabled_at is not null, false) as no_new_orders
    from sessions s
      join users u on u.merchant_id = s.merchant_id and u.user_id = s.user_id
      left join merchants l on l.merchant_id = s.looks_at and l.look_until = s.looks_until and l.look_until > ${now}
        and l.moved_at is null and u.role = 'operator'
      left join merchants m on m.merchant_id = coalesce(l.merchant_id, s.merchant_id)
    where s.merchant_id = ${merchantId} and s.token_hash = ${hash}
      and s.last_seen_at > ${idleBefore} and s.created_at > ${startedBefore}`.first();
}

/**
 * Returns the role if the session still exists, else null. Locks both rows until the transaction ends. The user's lock
 * is as strong as that of callers who count the user's rows, because a weaker one would deadlock with them.
 */
export async function lockRole(tx: Transaction, merchantId: number, userId: string, sessionId: string) {
  return await tx<{ role: Role }[]>`
    select u.role from users u
      join sessions s on s.merchant_id = u.merchant_id and s.user_id = u.user_id and s.session_id = ${sessionId}
    where u.merchant_id = ${merchantId} and u.user_id = ${userId}
    for no key update of u for key share of s`.value();
}

/** False if no owner allows it. A renewed permission needs a new start, with new entries in both logs. */
export async function turnSession(
  tx: Transaction,
  of: SessionKey,
  looksAt: number,
  now: Date,
): Promise<boolean> {
  return await tx`
    update sessions s set looks_at = m.merchant_id, looks_until = m.look_until from merchants m
    where s.merchant_id = ${of.merchantId} and s.session_id = ${of.sessionId}
      and m.merchant_id = ${looksAt} and m.look_until > ${now} and m.moved_at is null
    returning s.session_id`.some();
}

export async function turnSessionBack(tx: Transaction, of: SessionKey): Promise<void> {
  await tx`update sessions set looks_at = null where merchant_id = ${of.merchantId} and session_id = ${of.sessionId}`;
}

export async function markConfirmed(sql: Queryable, of: SessionKey, now: Date): Promise<void> {
  await sql`
    update sessions set confirmed_at = ${now} where merchant_id = ${of.merchantId} and session_id = ${of.sessionId}`;
}

/** Makes the person's other sessions confirm again, because more proof is now required. */
export async function unconfirmOthers(sql: Queryable, who: Person, sessionId: string): Promise<void> {
  await sql`
    update sessions set confirmed_at = 'epoch'
    where merchant_id = ${who.merchantId} and user_id = ${who.userId} and session_id <> ${sessionId}`;
}

export async function writeFlash(sql: Queryable, of: SessionKey, flash: string | null): Promise<void> {
  await sql`update sessions set flash = ${flash} where merchant_id = ${of.merchantId} and session_id = ${of.sessionId}`;
}

export async function deleteOldSessions(
  sql: Queryable,
  { merchantId, userId, idleBefore, startedBefore }: Limits & { merchantId: number; userId: string },
): Promise<void> {
  await sql`
    delete from sessions where merchant_id = ${merchantId} and user_id = ${userId}
      and (last_seen_at <= ${idleBefore} or created_at <= ${startedBefore})`;
}

/** Ends a session and deletes the devices that were added in it, including one that is just being added. */
export async function deleteSession(
  tx: Transaction,
  merchantId: number,
  userId: string,
  sessionId: string,
): Promise<boolean> {
  const ended = await tx`
    delete from sessions where merchant_id = ${merchantId} and user_id = ${userId} and session_id = ${sessionId}
    returning session_id`;
  if (ended.length === 0) return false;
  await tx`delete from push_devices where merchant_id = ${merchantId} and user_id = ${userId} and session_id = ${sessionId}`;
  return true;
}

/** Another session replaces this one in the same browser; its devices stay. */
export async function deleteSessionOf(sql: Queryable, { merchantId, hash }: PresentedToken): Promise<void> {
  await sql`delete from sessions where merchant_id = ${merchantId} and token_hash = ${hash}`;
}

/** Ends all other sessions, and deletes all their devices: a thief may have added one in a session that lapsed. */
export async function deleteSessionsOf(
  tx: Transaction,
  merchantId: number,
  userId: string,
  { except = '' }: { except?: string } = {},
): Promise<number> {
  const ended = await tx`
    delete from sessions where merchant_id = ${merchantId} and user_id = ${userId} and session_id <> ${except}
    returning session_id`;
  // Delete again: devices that were being added while the sessions ended exist by now.
  await tx`delete from push_devices where merchant_id = ${merchantId} and user_id = ${userId} and session_id <> ${except}`;
  return ended.length;
}

export type ListedSession = Origin & Pick<SessionRow, 'session_id' | 'created_at' | 'last_seen_at'>;

export async function listSessions(sql: Queryable, who: Person, { idleBefore, startedBefore }: Limits) {
  return await sql<ListedSession[]>`
    select session_id, created_at, last_seen_at, address, agent from sessions
    where merchant_id = ${who.merchantId} and user_id = ${who.userId} and stage = 'full'
      and last_seen_at > ${idleBefore} and created_at > ${startedBefore}
    order by last_seen_at desc, session_id`;
}
