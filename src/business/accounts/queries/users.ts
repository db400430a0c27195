import type { Queryable, Transaction } from '../../../base/database/connect.ts';
import type { Language } from '../../../texts/languages.ts';
import type { NewUser } from '../../merchants/queries.ts';
import type { Role } from '../may-do.ts';

export type Person = { merchantId: number; userId: string };

export type UserRow = NewUser & {
  name: string | null;
  role: Role;
  language: Language | null;
  totp_secret: string | null;
  totp_pending: string | null;
  totp_last_step: number;
};

export async function selectUserByEmail(sql: Queryable, email: string): Promise<UserRow | null> {
  return await sql<UserRow[]>`select * from users where lower(email) = lower(${email})`.first();
}

export async function selectUser(sql: Queryable, who: Person): Promise<UserRow | null> {
  return await sql<UserRow[]>`
    select * from users where merchant_id = ${who.merchantId} and user_id = ${who.userId}`.first();
}

export async function writePassword(sql: Queryable, who: Person, passwordHash: string): Promise<void> {
  await sql`
    update users set password_hash = ${passwordHash} where merchant_id = ${who.merchantId} and user_id = ${who.userId}`;
}

export async function writeLanguage(sql: Queryable, who: Person, language: Language | null): Promise<void> {
  await sql`update users set language = ${language} where merchant_id = ${who.merchantId} and user_id = ${who.userId}`;
}

export type Member = Pick<UserRow, 'user_id' | 'email' | 'name' | 'role'> & {
  has_totp: boolean;
  passkeys: number;
  last_seen_at: Date | null;
};

export async function listMembers(sql: Queryable, merchantId: number): Promise<Member[]> {
  return await sql<Member[]>`
    select u.user_id, u.email, u.name, u.role, u.totp_secret is not null as has_totp,
      (select count(*) from passkeys p where p.merchant_id = u.merchant_id and p.user_id = u.user_id) as passkeys,
      (select max(s.last_seen_at) from sessions s
        where s.merchant_id = u.merchant_id and s.user_id = u.user_id) as last_seen_at
    from users u where u.merchant_id = ${merchantId} order by u.created_at, u.user_id`;
}

/** Also deletes the user's sessions, passkeys and recovery codes by cascade. */
export async function deleteUser(tx: Transaction, merchantId: number, userId: string): Promise<void> {
  await tx`delete from users where merchant_id = ${merchantId} and user_id = ${userId}`;
}

export function selectOperators(sql: Queryable) {
  return sql<{ email: string; language: Language | null }[]>`
    select email, language from users where merchant_id = 0 and role = 'operator' order by email`;
}
