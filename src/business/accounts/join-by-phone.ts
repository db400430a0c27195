import type { Transaction } from '../../base/database/connect.ts';
import { newAddressWithoutMail } from '../../base/network/parse-mail-address.ts';
import { randomId } from '../../base/random.ts';
import type { World } from '../../base/world.ts';
import type { Language } from '../../texts/languages.ts';
import { because } from '../../texts/verdicts.ts';
import { addUser } from './add-user.ts';
import { makeLink } from './links.ts';
import { hashPassword } from './password.ts';
import { removeTotp } from './queries/factors.ts';
import { deleteLinksOfUser, type LinkRow, markLinkUsed } from './queries/links.ts';
import { deleteSessionsOf } from './queries/sessions.ts';
import { type Person, selectUser, type UserRow, writeLanguage, writePassword } from './queries/users.ts';
import { recordAudit } from './record-audit.ts';
import { registerPasskey } from './register-passkey.ts';
import { startSession } from './session.ts';
import type { Caller } from './sign-in.ts';

type ByPhone = { merchantId: number; name: string; by: string };

/** A link for a new cashier without a mail address, or for one who needs a new way in. */
export async function inviteByPhone(
  tx: Transaction,
  world: Pick<World, 'clock' | 'baseUrl'>,
  { merchantId, name, by }: ByPhone,
  known?: Pick<UserRow, 'user_id' | 'email'>,
): Promise<string> {
  const { user_id, email } = known ?? { user_id: randomId('usr'), email: newAddressWithoutMail() };
  if (known) await deleteLinksOfUser(tx, merchantId, user_id);
  const wanted = { merchant_id: merchantId, user_id, email, purpose: 'join', made_by: by } as const;
  return await makeLink(tx, world, { ...wanted, role: 'cashier', person: name });
}

/** The answer of a passkey's registration, or a password where the phone has no passkeys. */
type Proof = { response: unknown; name: string } | { password: string };

export type JoinedByPhone =
  | { outcome: 'joined'; token: string }
  | { outcome: 'used' }
  | { outcome: 'wrong_passkey' };

class WrongPasskey extends Error {}

/** Lets the phone in, once. A wrong passkey leaves the link as it was. */
export async function joinByPhone(
  world: Pick<World, 'sql' | 'clock' | 'baseUrl' | 'cells' | 'cell'>,
  { merchant_id: merchantId, link_id: linkId, user_id, email, person }: LinkRow,
  proof: Proof,
  { address, agent, language }: Caller & { language: Language },
): Promise<JoinedByPhone> {
  const who = { merchantId, userId: user_id ?? '' };
  const now = world.clock.now();
  const passwordHash = 'password' in proof ? await hashPassword(proof.password) : '';
  try {
    return await world.sql.begin(async tx => {
      if (!(await markLinkUsed(tx, merchantId, linkId, now))) return { outcome: 'used' };
      const known = await selectUser(tx, who);
      if (known) await shutOut(tx, who, passwordHash);
      else
        await addUser(tx, world, merchantId, { ...who, email, name: person, passwordHash, role: 'cashier' });
      if (!known && language !== 'en') await writeLanguage(tx, who, language);
      if ('response' in proof && !(await registerPasskey(tx, world, who, proof))) throw new WrongPasskey();
      const name = person ?? email;
      const notice = because('joined', { email: name, role: because('cashier') });
      const actor = { merchantId, actor: email, address, now };
      await recordAudit(tx, actor, { action: 'member.join', subject: name, details: 'cashier', notice });
      const { token } = await startSession(tx, world, { ...who, stage: 'full', address, agent });
      return { outcome: 'joined', token };
    });
  } catch (error) {
    if (error instanceof WrongPasskey) return { outcome: 'wrong_passkey' };
    throw error;
  }
}

/** Ends every way in of a person without a mail address. Only a new link lets them in again. No password has the hash ''. */
export async function shutOut(tx: Transaction, who: Person, passwordHash = ''): Promise<void> {
  await writePassword(tx, who, passwordHash);
  await removeTotp(tx, who);
  await tx`delete from passkeys where merchant_id = ${who.merchantId} and user_id = ${who.userId}`;
  await deleteSessionsOf(tx, who.merchantId, who.userId);
}
