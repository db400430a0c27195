import type { Transaction } from '../../base/database/connect.ts';
import type { World } from '../../base/world.ts';
import { adoptPendingTotp, replaceRecoveryCodes, writePendingTotp } from './queries/factors.ts';
import { type Person, selectUser } from './queries/users.ts';
import { hashRecoveryCode, newRecoveryCodes } from './recovery-codes.ts';
import { newTotpSecret, totpBinding, totpStep } from './totp.ts';

/** A new secret that waits until a code of it is entered: an unfinished set-up must lock nobody out. */
export async function beginTotp(
  { sql, secrets }: Pick<World, 'sql' | 'secrets'>,
  who: Person,
): Promise<void> {
  await writePendingTotp(sql, who, secrets.seal(newTotpSecret(), totpBinding(who.merchantId, who.userId)));
}

/** The secret that is being set up, to be shown; null when there is none. */
export async function pendingTotp(
  { sql, secrets }: Pick<World, 'sql' | 'secrets'>,
  who: Person,
): Promise<string | null> {
  const sealed = (await selectUser(sql, who))?.totp_pending;
  return sealed ? secrets.open(sealed, totpBinding(who.merchantId, who.userId)) : null;
}

/** Null when the code is not right; else the recovery codes, to be shown once. */
export async function finishTotp(
  tx: Transaction,
  { secrets, clock }: Pick<World, 'secrets' | 'clock'>,
  who: Person,
  code: string,
): Promise<string[] | null> {
  const sealed = (await selectUser(tx, who))?.totp_pending;
  if (!sealed) return null;
  const step = totpStep(secrets.open(sealed, totpBinding(who.merchantId, who.userId)), code, clock.now());
  if (step === null || !(await adoptPendingTotp(tx, who, { sealed, step }))) return null;
  return await renewRecoveryCodes(tx, who);
}

/** The earlier codes stop working. */
export async function renewRecoveryCodes(tx: Transaction, who: Person): Promise<string[]> {
  const codes = newRecoveryCodes();
  const hashes = codes.map(code => hashRecoveryCode(code)!);
  await replaceRecoveryCodes(tx, who, hashes);
  return codes;
}
