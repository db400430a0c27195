import type { Queryable } from '../../database/connect.ts';
import type { Role } from '../permissions.ts';

export type UserRow = {
  merchant_id: number;
  user_id: string;
  email: string;
  role: Role;
  password_hash: string;
  language: 'en' | 'hi' | null;
  totp_secret: string | null;
  totp_pending: string | null;
  totp_last_step: number;
  created_at: Date;
};

export async function selectUserByEmail(sql: Queryable, email: string): Promise<UserRow | null> {
  const [row] = await sql<UserRow[]>`select * from users where lower(email) = lower(${email})`;
  return row ?? null;
}

export async function selectUser(
  sql: Queryable,
  merchantId: number,
  userId: string,
): Promise<UserRow | null> {
  const [row] = await sql<UserRow[]>`
    select * from users where merchant_id = ${merchantId} and user_id = ${userId}`;
  return row ?? null;
}
