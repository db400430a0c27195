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
 * Asks a signed-in person for the password once more, and for the second factor where there is one: a stolen session
 * with a stolen password must not switch it off. Guesses count as they do at sign-in. Whoever has a passkey and no app
 * confirms with that alone; see `verifyPasskey`.
 */
export async function confirmPerson(
  world: Pick<World, 'sql' | 'clock' | 'secrets' | 'baseUrl'>,
  who: Person,
  { email, password, code, address }: Proof,
): Promise<Confirmation> {
  const guesses = passwordGuesses(email, address);
  if (!(await mayGuess(world, guesses))) return 'too_many';
  const user = await selectUser(world.sql, who);
  // The password before the code: a slip in it spends no recovery code.
  if (!user || !(await passwordMatches(password, user.password_hash))) return 'wrong_password';
  await forgive(world, guesses);
  if (user.totp_secret !== null) return await takeCode(world, user, { code, address });
  return (await hasPasskey(world, who)) ? 'passkey_needed' : 'right';
}

/** Whether somebody has a passkey that can be used here. */
export async function hasPasskey(
  { sql, baseUrl }: Pick<World, 'sql' | 'baseUrl'>,
  who: Person,
): Promise<boolean> {
  return passkeySite(baseUrl) !== null && (await listPasskeys(sql, who)).length > 0;
}
