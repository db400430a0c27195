import type { Role } from '../../src/business/accounts/may-do.ts';
import { type TestUser, testPasswordHash } from './dashboard-site.ts';
import type { TestWorld } from './test-world.ts';

const roles: Role[] = ['owner', 'manager', 'support', 'developer', 'auditor', 'cashier', 'operator'];

/** One of each role, all with `testPassword`. */
export async function addPeople({ sql, clock }: TestWorld, merchantId: number, mark: string) {
  const users = {} as Record<Role, TestUser>;
  for (const role of roles) {
    const user = {
      merchantId: role === 'operator' ? 0 : merchantId,
      userId: `usr_${role}${mark}`,
      email: `${role}-${mark}@shop.example`,
      role,
    };
    await sql`insert into users ${sql({
      merchant_id: user.merchantId,
      user_id: user.userId,
      email: user.email,
      role,
      password_hash: await testPasswordHash(),
      created_at: clock.now(),
    })}`;
    users[role] = user;
  }
  return users;
}
