import type { Transaction } from '../database/connect.ts';
import type { World } from '../world.ts';
import { adoptPendingTotp, replaceRecoveryCodes, writePendingTotp } from './queries/factors.ts';
import { selectUser } from './queries/users.ts';
import { hashRecoveryCode, newRecoveryCodes } from './recovery-codes.ts';
import { newTotpSecret, totpBinding, totpStep } from './totp.ts';

type Person = { merchantId: number; userId: string };

/** A new secret that waits until a code of it was entered: a phone that was not set up must lock nobody out. */
export async function beginTotp(
  { sql, secrets }: Pick<World, 'sql' | 'secrets'>,
  { merchantId, userId }: Person,
): Promise<void> {
  const sealed = secrets.seal(newTotpSecret(), totpBinding(merchantId, userId));
  await writePendingTotp(sql, merchantId, userId, sealed);
}

/** The secret that is being set up, to be shown; null when there is none. */
export async function pendingTotp(
  { sql, secrets }: Pick<World, 'sql' | 'secrets'>,
  { merchantId, userId }: Person,
): Promise<string | null> {
  const sealed = (await selectUser(sql, merchantId, userId))?.totp_pending;
  return sealed ? secrets.open(sealed, totpBinding(merchantId, userId)) : null;
}

/** Null when the code is not right; else the recovery codes, to be shown once. */
export async function finishTotp(
  tx: Transaction,
  { secrets, clock }: Pick<World, 'secrets' | 'clock'>,
  { merchantId, userId }: Person,
  code: string,
): Promise<string[] | null> {
  const sealed = (await selectUser(tx, merchantId, userId))?.totp_pending;
  if (!sealed) return null;
  const step = totpStep(secrets.open(sealed, totpBinding(merchantId, userId)), code, clock.now());
  if (step === null || !(await adoptPendingTotp(tx, merchantId, userId, { sealed, step }))) return null;
  return await renewRecoveryCodes(tx, { merchantId, userId });
}

/** The codes before these open nothing any more. */
export async function renewRecoveryCodes(tx: Transaction, { merchantId, userId }: Person): Promise<string[]> {
  const codes = newRecoveryCodes();
  await replaceRecoveryCodes(
    tx,
    merchantId,
    userId,
    codes.map(code => hashRecoveryCode(code)!),
  );
  return codes;
}
