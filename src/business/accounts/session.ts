import { day, later, minute } from '../../base/clock.ts';
import type { Transaction } from '../../base/database/connect.ts';
import { randomId } from '../../base/random.ts';
import { keptFor } from '../../base/retention.ts';
import type { World } from '../../base/world.ts';
import { deleteOldSessions, type SessionRow, selectSession } from './queries/sessions.ts';
import { newToken, readToken } from './tokens.ts';

/** A session ends after a week without use, and after a month in any case. */
const idleTime = 7 * day;
export const longestTime = keptFor('sessions');
/** A dangerous action needs a confirmation that is not older than this. */
const lateAfter = 10 * minute;
const touchEvery = 1 * minute;

export type NewSession = {
  merchantId: number;
  userId: string;
  stage: 'code' | 'full';
  address: string;
  agent: string;
};

/** Starts a session and returns its token, which is stored only as a hash. */
export async function startSession(
  tx: Transaction,
  { clock }: Pick<World, 'clock'>,
  { merchantId, userId, stage, address, agent }: NewSession,
): Promise<{ token: string; sessionId: string }> {
  const now = clock.now();
  const { token, hash } = newToken(merchantId);
  const sessionId = randomId('ses');
  await deleteOldSessions(tx, { merchantId, userId, ...sessionLimits(now) });
  await tx`insert into sessions ${tx({
    merchant_id: merchantId,
    session_id: sessionId,
    user_id: userId,
    token_hash: hash,
    stage,
    created_at: now,
    last_seen_at: now,
    confirmed_at: now,
    address,
    agent,
  })}`;
  return { token, sessionId };
}

export function isClosed(
  row: Pick<SessionRow, 'disabled_at' | 'deletion_requested_at' | 'left_at'>,
): boolean {
  return row.disabled_at !== null || row.deletion_requested_at !== null || row.left_at !== null;
}

export async function findSession(
  { sql, clock }: Pick<World, 'sql' | 'clock'>,
  cookie: string | null,
): Promise<SessionRow | null> {
  const token = cookie === null ? null : readToken(cookie);
  if (!token) return null;
  const now = clock.now();
  const row = await selectSession(sql, token, sessionLimits(now), now);
  // An onlooker has no role in either business; `permissions` limits what they may do.
  if (row && row.looks_at !== null) row.role = 'onlooker';
  if (row && now.getTime() - row.last_seen_at.getTime() >= touchEvery) {
    await sql`
      update sessions set last_seen_at = ${now} where merchant_id = ${row.merchant_id} and session_id = ${row.session_id}`;
  }
  return row;
}

/** Sessions last used or started before these times have ended. */
export function sessionLimits(now: Date): { idleBefore: Date; startedBefore: Date } {
  return { idleBefore: later(now, -idleTime), startedBefore: later(now, -longestTime) };
}

export function isConfirmed({ confirmed_at }: Pick<SessionRow, 'confirmed_at'>, now: Date): boolean {
  return now.getTime() - confirmed_at.getTime() < lateAfter;
}
