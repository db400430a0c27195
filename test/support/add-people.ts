import type { Role } from '../../src/business/accounts/may-do.ts';
import { type TestUser, testPasswordHash } from './dashboard-site.ts';
import type { TestWorld } from './test-world.ts';

const roles: Role[] = ['owner', 'manager', 'support', 'developer', 'auditor', 'cashier', 'operator'];

/** One of each role, all with `testPassword`. */
export async function addPeople({ sql, clock }: TestWorld, merchantId: number, suffix: string) {
  const users: TestUser[] = roles.map(role => ({
    merchantId: role === 'operator' ? 0 : merchantId,
    userId: `usr_${role}${suffix}`,
    email: `${role}-${suffix}@shop.example`,
    role,
  }));
  await sql`insert into users ${sql(
    users.map(({ merchantId: merchant_id, userId: user_id, email, role }) => ({
      merchant_id,
      user_id,
      email,
      role,
      password_hash: testPasswordHash,
      created_at: clock.now(),
    })),
  )}`;
  return Object.fromEntries(users.map(user => [user.role, user])) as Record<Role, TestUser>;
}
