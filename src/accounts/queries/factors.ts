import type { Queryable } from '../../database/connect.ts';

export async function writePendingTotp(
  sql: Queryable,
  merchantId: number,
  userId: string,
  sealed: string | null,
): Promise<void> {
  await sql`update users set totp_pending = ${sealed} where merchant_id = ${merchantId} and user_id = ${userId}`;
}

/** The secret that was set up begins to count, unless another one was begun meanwhile. */
export async function adoptPendingTotp(
  sql: Queryable,
  merchantId: number,
  userId: string,
  { sealed, step }: { sealed: string; step: number },
): Promise<boolean> {
  const rows = await sql`
    update users set totp_secret = totp_pending, totp_pending = null, totp_last_step = ${step}
    where merchant_id = ${merchantId} and user_id = ${userId} and totp_pending = ${sealed}
    returning user_id`;
  return rows.length === 1;
}

/** False when a code of this step or a later one was used already. */
export async function takeTotpStep(
  sql: Queryable,
  merchantId: number,
  userId: string,
  step: number,
): Promise<boolean> {
  const rows = await sql`
    update users set totp_last_step = ${step}
    where merchant_id = ${merchantId} and user_id = ${userId} and totp_last_step < ${step}
    returning user_id`;
  return rows.length === 1;
}

export async function removeTotp(sql: Queryable, merchantId: number, userId: string): Promise<void> {
  await sql`
    update users set totp_secret = null, totp_pending = null where merchant_id = ${merchantId} and user_id = ${userId}`;
  await sql`delete from recovery_codes where merchant_id = ${merchantId} and user_id = ${userId}`;
}

export async function replaceRecoveryCodes(
  sql: Queryable,
  merchantId: number,
  userId: string,
  hashes: readonly Buffer[],
): Promise<void> {
  await sql`delete from recovery_codes where merchant_id = ${merchantId} and user_id = ${userId}`;
  for (const hash of hashes) {
    await sql`insert into recovery_codes (merchant_id, user_id, code_hash) values (${merchantId}, ${userId}, ${hash})`;
  }
}

export async function takeRecoveryCode(
  sql: Queryable,
  merchantId: number,
  userId: string,
  hash: Buffer,
  now: Date,
): Promise<boolean> {
  const rows = await sql`
    update recovery_codes set used_at = ${now}
    where merchant_id = ${merchantId} and user_id = ${userId} and code_hash = ${hash} and used_at is null
    returning code_hash`;
  return rows.length === 1;
}

export async function countRecoveryCodes(
  sql: Queryable,
  merchantId: number,
  userId: string,
): Promise<number> {
  const [row] = await sql<{ count: number }[]>`
    select count(*) as count from recovery_codes
    where merchant_id = ${merchantId} and user_id = ${userId} and used_at is null`;
  return row!.count;
}
