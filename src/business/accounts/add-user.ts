import type { Queryable } from '../../base/database/connect.ts';
import { taken } from '../../base/database/is-taken.ts';
import { randomId } from '../../base/random.ts';
import type { World } from '../../base/world.ts';
import type { UserRole } from '../../outbox/topics.ts';
import { insertUser } from '../merchants/queries.ts';
import { hashPassword } from './password.ts';
import { takeName } from './taken-names.ts';

/** Pass `passwordHash` inside a transaction: hashing waits in a queue and would hold the connection. */
export type NewUser = {
  email: string;
  role: UserRole | 'operator';
  userId?: string;
  name?: string | null;
} & ({ password: string } | { passwordHash: string });

/** Adds a user of a business. A mail address has one account in the whole installation. */
export async function addUser(
  tx: Queryable,
  world: Pick<World, 'clock' | 'cells' | 'cell'>,
  merchantId: number,
  { email, role, userId = randomId('usr'), name = null, ...secret }: NewUser,
): Promise<string> {
  await insertUser(tx, {
    merchant_id: merchantId,
    user_id: userId,
    email,
    name,
    role,
    password_hash: 'passwordHash' in secret ? secret.passwordHash : await hashPassword(secret.password),
    created_at: world.clock.now(),
  });
  if (!(await takeName(tx, world, 'person', email, merchantId))) throw taken(`the address of ${userId}`);
  return userId;
}
