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
  role: VisitorRole;
  language: Language | null;
  has_totp: boolean;
  /** The business whose owner lets this operator look, while they do and it stays. */
  looks_at: number | null;
  look_until: Date | null;
  business_name: string | null;
  /** Null too where new orders alone are refused: its people work on. */
  disabled_at: Date | null;
  no_new_orders: boolean;
  disabled_reason: string | null;
  deletion_requested_at: Date | null;
  moved_at: Date | null;
  left_at: Date | null;
};

/** From where, and with what. */
type Origin = { address: string; agent: string };

type NewSessionRow = Origin &
  Pick<
    SessionRow,
    'merchant_id' | 'session_id' | 'user_id' | 'stage' | 'created_at' | 'last_seen_at' | 'confirmed_at'
  > & { token_hash: Buffer };

export async function insertSession(sql: Queryable, row: NewSessionRow): Promise<void> {
  await sql`insert into sessions ${sql(row)}`;
}

type Limits = { idleBefore: Date; startedBefore: Date };

/** An operator's business is 0, which has no row among the businesses. */
export async function selectSession(
  sql: Queryable,
  { merchantId, hash }: PresentedToken,
  { idleBefore, startedBefore }: Limits,
  now: Date,
): Promise<SessionRow | null> {
  const [row] = await sql<SessionRow[]>`
    select s.merchant_id, s.session_id, s.user_id, s.stage, s.created_at, s.last_seen_at, s.confirmed_at, s.flash,
      u.email, u.role, u.language, u.totp_secret is not null as has_totp,
      l.merchant_id as looks_at, l.look_until, m.name as business_name, m.disabled_reason, m.deletion_requested_at, m.moved_at, m.left_at,
      case when not m.no_new_orders then m.disabled_at end as disabled_at,
      coalesce(m.no_new_orders and m.disabled_at is not null, false) as no_new_orders
    from sessions s
      join users u on u.merchant_id = s.merchant_id and u.user_id = s.user_id
      left join merchants l on l.merchant_id = s.looks_at and l.look_until = s.looks_until and l.look_until > ${now}
        and l.moved_at is null and u.role = 'operator'
      left join merchants m on m.merchant_id = coalesce(l.merchant_id, s.merchant_id)
    where s.merchant_id = ${merchantId} and s.token_hash = ${hash}
      and s.last_seen_at > ${idleBefore} and s.created_at > ${startedBefore}`;
  return row ?? null;
}

/**
 * The role of somebody whose session is still there; null for anybody else. Both are held until the transaction ends, the
 * person as firmly as by whoever counts what is theirs: two that held them loosely would wait for each other there.
 */
export async function holdRole(tx: Transaction, merchantId: number, userId: string, sessionId: string) {
  const [row] = await tx<{ role: Role }[]>`
    select u.role from users u
      join sessions s on s.merchant_id = u.merchant_id and s.user_id = u.user_id and s.session_id = ${sessionId}
    where u.merchant_id = ${merchantId} and u.user_id = ${userId}
    for no key update of u for key share of s`;
  return row?.role ?? null;
}

/**
 * Turns an operator's session to a business whose owner lets them look; false where none does. By this permission alone:
 * one that is taken back and given again is begun again, and stands in both logs again.
 */
export async function turnSession(
  tx: Transaction,
  of: SessionKey,
  looksAt: number,
  now: Date,
): Promise<boolean> {
  const rows = await tx`
    update sessions s set looks_at = m.merchant_id, looks_until = m.look_until from merchants m
    where s.merchant_id = ${of.merchantId} and s.session_id = ${of.sessionId}
      and m.merchant_id = ${looksAt} and m.look_until > ${now} and m.moved_at is null
    returning s.session_id`;
  return rows.length === 1;
}

/** Back to the operator's own screens. */
export async function turnSessionBack(tx: Transaction, of: SessionKey): Promise<void> {
  await tx`update sessions set looks_at = null where merchant_id = ${of.merchantId} and session_id = ${of.sessionId}`;
}

export async function touchSession(sql: Queryable, of: SessionKey, now: Date): Promise<void> {
  await sql`
    update sessions set last_seen_at = ${now} where merchant_id = ${of.merchantId} and session_id = ${of.sessionId}`;
}

export async function markConfirmed(sql: Queryable, of: SessionKey, now: Date): Promise<void> {
  await sql`
    update sessions set confirmed_at = ${now} where merchant_id = ${of.merchantId} and session_id = ${of.sessionId}`;
}

/** A person's other sessions have to prove themselves again: what they proved was less than is asked for now. */
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

/** Somebody ended it: the devices that were added in it are told nothing any more, one that was just being added neither. */
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

/** Replaced by another one in the same browser, whose devices stay. */
export async function deleteSessionOf(sql: Queryable, { merchantId, hash }: PresentedToken): Promise<void> {
  await sql`delete from sessions where merchant_id = ${merchantId} and token_hash = ${hash}`;
}

/**
 * Ends a person's sessions, all of them or all but the one that asks, and every device that is not of that one: whoever
 * added one under a stolen password may have let its session lapse, or replaced it, long before the theft was noticed.
 */
export async function deleteSessionsOf(
  tx: Transaction,
  merchantId: number,
  userId: string,
  { except = '' }: { except?: string } = {},
): Promise<number> {
  const ended = await tx`
    delete from sessions where merchant_id = ${merchantId} and user_id = ${userId} and session_id <> ${except}
    returning session_id`;
  // Looked for anew: what was being added while those were ended is there by now.
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

export async function deleteEndedSessions(
  sql: Queryable,
  { idleBefore, startedBefore }: Limits,
): Promise<void> {
  await sql`delete from sessions where last_seen_at <= ${idleBefore} or created_at <= ${startedBefore}`;
}
