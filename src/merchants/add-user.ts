import type { Queryable } from '../database/connect.ts';
import { randomBase62 } from '../random.ts';
import type { World } from '../world.ts';
import { hashPassword } from './password.ts';
import { insertUser } from './queries.ts';

export const userRoles = ['owner', 'manager', 'support', 'developer', 'auditor'] as const;
export type UserRole = (typeof userRoles)[number];

/** A person who may sign in for a business. One address, one account in the whole installation. */
export async function addUser(
  { sql, clock }: Pick<World, 'clock'> & { sql: Queryable },
  merchantId: number,
  { email, password, role }: { email: string; password: string; role: UserRole | 'operator' },
): Promise<string> {
  const userId = `usr_${randomBase62(16)}`;
  await insertUser(sql, {
    merchant_id: merchantId,
    user_id: userId,
    email,
    role,
    password_hash: await hashPassword(password),
    created_at: clock.now(),
  });
  return userId;
}
