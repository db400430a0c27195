import { passwordMatches } from '../merchants/password.ts';
import type { World } from '../world.ts';
import { forgive, mayGuess, passwordGuesses } from './guesses.ts';
import { selectUser } from './queries/users.ts';

type Person = { merchantId: number; userId: string; email: string; password: string; address: string };

/** The password once more, from somebody who is signed in; guesses count as they do at the door. */
export async function passwordIsRight(
  world: Pick<World, 'sql' | 'clock'>,
  { merchantId, userId, email, password, address }: Person,
): Promise<'right' | 'wrong' | 'too_many'> {
  const guesses = passwordGuesses(email, address);
  if (!(await mayGuess(world, guesses))) return 'too_many';
  const user = await selectUser(world.sql, merchantId, userId);
  if (!user || !(await passwordMatches(password, user.password_hash))) return 'wrong';
  await forgive(world, guesses);
  return 'right';
}
