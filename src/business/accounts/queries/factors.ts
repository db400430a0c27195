import type { Queryable } from '../../../base/database/connect.ts';
import type { Person } from './users.ts';

/** Activates the pending secret unless another set-up was started since. */
export async function adoptPendingTotp(
  sql: Queryable,
  who: Person,
  { sealed, step }: { sealed: string; step: number },
): Promise<boolean> {
  return await sql`
    update users set totp_secret = totp_pending, totp_pending = null, totp_last_step = ${step}
    where merchant_id = ${who.merchantId} and user_id = ${who.userId} and totp_pending = ${sealed}
    returning user_id`.some();
}

/** Returns false if a code of this step or a later one was already used. */
export async function takeTotpStep(sql: Queryable, who: Person, step: number): Promise<boolean> {
  return await sql`
    update users set totp_last_step = ${step}
    where merchant_id = ${who.merchantId} and user_id = ${who.userId} and totp_last_step < ${step}
    returning user_id`.some();
}

export async function removeTotp(sql: Queryable, who: Person): Promise<void> {
  await sql`
    update users set totp_secret = null, totp_pending = null where merchant_id = ${who.merchantId} and user_id = ${who.userId}`;
  await sql`delete from recovery_codes where merchant_id = ${who.merchantId} and user_id = ${who.userId}`;
}

export async function replaceRecoveryCodes(
  sql: Queryable,
  who: Person,
  hashes: readonly Buffer[],
): Promise<void> {
  await sql`delete from recovery_codes where merchant_id = ${who.merchantId} and user_id = ${who.userId}`;
  for (const hash of hashes) {
    await sql`insert into recovery_codes (merchant_id, user_id, code_hash) values (${who.merchantId}, ${who.userId}, ${hash})`;
  }
}

export async function takeRecoveryCode(sql: Queryable, who: Person, hash: Buffer, now: Date) {
  return await sql`
    update recovery_codes set used_at = ${now}
    where merchant_id = ${who.merchantId} and user_id = ${who.userId} and code_hash = ${hash} and used_at is null
    returning code_hash`.some();
}

export async function countRecoveryCodes(sql: Queryable, who: Person): Promise<number> {
  const [row] = await sql<{ count: number }[]>`
    select count(*) as count from recovery_codes
    where merchant_id = ${who.merchantId} and user_id = ${who.userId} and used_at is null`;
  return row!.count;
}
