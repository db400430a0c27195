import type { World } from '../../base/world.ts';
import { because } from '../../texts/verdicts.ts';
import { forgive, type Guess, mayGuess } from './guesses.ts';
import { takeRecoveryCode, takeTotpStep } from './queries/factors.ts';
import type { UserRow } from './queries/users.ts';
import { recordDeed } from './record-deed.ts';
import { hashRecoveryCode } from './recovery-codes.ts';
import { totpBinding, totpStep } from './totp.ts';

/** The second factor: a code of the authenticator app, or one of the recovery codes. Each counts once, guesses are few. */
export async function takeCode(
  world: Pick<World, 'sql' | 'clock' | 'secrets'>,
  user: UserRow,
  { code, address }: { code: string; address: string },
): Promise<'right' | 'wrong_code' | 'too_many'> {
  const guesses: Guess[] = [{ kind: 'code', whom: user.user_id }];
  if (!(await mayGuess(world, guesses))) return 'too_many';
  if (!(await codeIsRight(world, user, code, address))) return 'wrong_code';
  await forgive(world, guesses);
  return 'right';
}

async function codeIsRight(
  { sql, clock, secrets }: Pick<World, 'sql' | 'clock' | 'secrets'>,
  user: UserRow,
  code: string,
  address: string,
): Promise<boolean> {
  const { merchant_id: merchantId, user_id: userId, email, totp_secret: sealed } = user;
  const now = clock.now();
  if (sealed !== null) {
    const step = totpStep(secrets.open(sealed, totpBinding(merchantId, userId)), code, now);
    if (step !== null) return await takeTotpStep(sql, { merchantId, userId }, step);
  }
  const hash = hashRecoveryCode(code);
  if (!hash) return false;
  return await sql.begin(async tx => {
    if (!(await takeRecoveryCode(tx, { merchantId, userId }, hash, now))) return false;
    const doer = { merchantId, actor: email, address, now };
    await recordDeed(tx, doer, {
      action: 'recovery_code.use',
      subject: email,
      notice: because('recovery_code_used', { email }),
    });
    return true;
  });
}
