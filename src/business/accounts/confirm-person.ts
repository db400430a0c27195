import type { World } from '../../base/world.ts';
import { forgive, mayGuess, passwordGuesses } from './guesses.ts';
import { passkeySite } from './passkey-site.ts';
import { passwordMatches } from './password.ts';
import { listPasskeys } from './queries/passkeys.ts';
import { type Person, selectUser } from './queries/users.ts';
import { takeCode } from './second-factor.ts';

type Proof = { email: string; password: string; code: string; address: string };

export type Confirmation = 'right' | 'wrong_password' | 'wrong_code' | 'passkey_needed' | 'too_many';

/**
 * Asks a signed-in person for the password and second factor again. A thief with a session and a password must not be
 * able to switch the second factor off. Guesses count as at sign-in. A person with a passkey and no app confirms with
 * the passkey alone (`verifyPasskey`).
 */
export async function confirmPerson(
  world: Pick<World, 'sql' | 'clock' | 'secrets' | 'baseUrl'>,
  who: Person,
  { email, password, code, address }: Proof,
): Promise<Confirmation> {
  const guesses = passwordGuesses(email, address);
  if (!(await mayGuess(world, guesses))) return 'too_many';
  const user = await selectUser(world.sql, who);
  // Check the password first, so that a wrong one does not use up a recovery code.
  if (!user || !(await passwordMatches(password, user.password_hash))) return 'wrong_password';
  await forgive(world, guesses);
  if (user.totp_secret !== null) return await takeCode(world, user, { code, address });
  return (await hasPasskey(world, who)) ? 'passkey_needed' : 'right';
}

export async function hasPasskey(
  { sql, baseUrl }: Pick<World, 'sql' | 'baseUrl'>,
  who: Person,
): Promise<boolean> {
  return passkeySite(baseUrl) !== null && (await listPasskeys(sql, who)).length > 0;
}
