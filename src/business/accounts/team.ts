import { day } from '../../base/clock.ts';
import type { Transaction } from '../../base/database/connect.ts';
import { isTaken } from '../../base/database/is-taken.ts';
import { hasMail } from '../../base/network/parse-mail-address.ts';
import { shownName } from '../../base/read-name.ts';
import type { World } from '../../base/world.ts';
import { queueMail, sealLetter } from '../../outbox/mails/queue-mail.ts';
import { canMail } from '../../outbox/mails/smtp.ts';
import type { UserRole } from '../../outbox/topics.ts';
import { type Language, textsIn } from '../../texts/languages.ts';
import { because } from '../../texts/verdicts.ts';
import { addUser } from './add-user.ts';
import { makeLink, validFor } from './links.ts';
import { hashPassword } from './password.ts';
import { deleteInvitationsBy, deleteLinksOfUser, type LinkRow, markLinkUsed } from './queries/links.ts';
import {
  deleteUser,
  type Person,
  selectUser,
  selectUserByEmail,
  type UserRow,
  writeLanguage,
} from './queries/users.ts';
import { recordAudit } from './record-audit.ts';

export type Invitation = { outcome: 'invited'; link: string; mailed: boolean } | { outcome: 'taken' };

type Invited = {
  merchantId: number;
  email: string;
  role: UserRole;
  merchant: string;
  by: string;
  language: Language;
};

/** Creates an invitation with this role. It is mailed if SMTP is set up, and shown to the inviter in any case. */
export async function inviteMember(
  tx: Transaction,
  world: Pick<World, 'clock' | 'secrets' | 'baseUrl' | 'config'>,
  { merchantId, email, role, merchant, by, language }: Invited,
): Promise<Invitation> {
  // Accounts in other businesses are found only on joining, so the inviter learns nothing of other businesses (R12).
  const known = await selectUserByEmail(tx, email);
  if (known?.merchant_id === merchantId) return { outcome: 'taken' };
  await tx`
    delete from account_links
    where merchant_id = ${merchantId} and purpose = 'join' and lower(email) = lower(${email}) and used_at is null`;
  const link = await makeLink(tx, world, {
    merchant_id: merchantId,
    purpose: 'join',
    email,
    role,
    made_by: by,
  });
  const mailed = canMail(world.config);
  if (mailed) {
    const mail = textsIn(language).mails.join({ by, business: shownName(merchant), link });
    const letter = sealLetter(world, { merchantId, recipient: email, ...mail });
    await queueMail(tx, { ...letter, now: world.clock.now(), usefulFor: validFor.join });
  }
  return { outcome: 'invited', link, mailed };
}

export type Joined = { outcome: 'joined'; userId: string } | { outcome: 'taken' } | { outcome: 'used' };

export async function joinTeam(
  world: Pick<World, 'sql' | 'clock' | 'cells' | 'cell'>,
  link: LinkRow,
  { password, address, language }: { password: string; address: string; language: Language },
): Promise<Joined> {
  const { merchant_id: merchantId, link_id: linkId, email, role } = link;
  const now = world.clock.now();
  const passwordHash = await hashPassword(password);
  try {
    return await world.sql.begin(async tx => {
      if (!(await markLinkUsed(tx, merchantId, linkId, now))) return { outcome: 'used' };
      const userId = await addUser(tx, world, merchantId, { email, passwordHash, role: role as UserRole });
      if (language !== 'en') await writeLanguage(tx, { merchantId, userId }, language);
      const who = { merchantId, actor: email, address, now };
      const notice = because('joined', { email, role: because(role as UserRole) });
      await recordAudit(tx, who, { action: 'member.join', subject: email, details: role ?? '', notice });
      return { outcome: 'joined', userId };
    });
  } catch (error) {
    if (isTaken(error)) return { outcome: 'taken' };
    throw error;
  }
}

export type MemberChange =
  | { outcome: 'changed'; before: UserRow }
  | { outcome: 'unknown' }
  | { outcome: 'last_owner' }
  | { outcome: 'no_mail' };

/** A member, and the id of the owner who changes them. */
type Changed = Person & { by: string };

/** Keeps the last owner, because a business without one could never be changed again. */
export async function changeRole(tx: Transaction, who: Changed, role: UserRole): Promise<MemberChange> {
  const { merchantId, userId } = who;
  const before = await memberUnlessLastOwner(tx, who, role !== 'owner');
  if (before.outcome !== 'changed') return before;
  // Nobody could warn such a person, and a new link would let its holder into a stronger role.
  if (role !== 'cashier' && !hasMail(before.before.email)) return { outcome: 'no_mail' };
  await tx`update users set role = ${role} where merchant_id = ${merchantId} and user_id = ${userId}`;
  if (role !== 'owner') await deleteInvitationsBy(tx, merchantId, before.before.email);
  return before;
}

export async function removeMember(tx: Transaction, who: Changed): Promise<MemberChange> {
  const { merchantId, userId } = who;
  const before = await memberUnlessLastOwner(tx, who, true);
  if (before.outcome !== 'changed') return before;
  await deleteLinksOfUser(tx, merchantId, userId);
  // Otherwise the removed person could return by a link that they made earlier.
  await deleteInvitationsBy(tx, merchantId, before.before.email);
  await deleteUser(tx, merchantId, userId);
  return before;
}

const newsOfARole = 3 * day;

/** Mails the member directly: notices go to owners, and this person may no longer be one. */
export async function notifyMember(
  tx: Transaction,
  world: Pick<World, 'clock' | 'secrets' | 'config'>,
  { merchant_id, email, role, language }: UserRow,
  { merchant, by, after }: { merchant: string; by: string; after: UserRole | null },
): Promise<void> {
  if (!canMail(world.config)) return;
  const { mails } = textsIn(language ?? 'en');
  const shown = { business: shownName(merchant), by };
  const mail =
    after === null
      ? mails.removed(shown)
      : mails.role({ ...shown, before: because(role), after: because(after) });
  const letter = sealLetter(world, { merchantId: merchant_id, recipient: email, ...mail });
  await queueMail(tx, { ...letter, now: world.clock.now(), usefulFor: newsOfARole });
}

async function memberUnlessLastOwner(
  tx: Transaction,
  { merchantId, userId, by }: Changed,
  takesOwner: boolean,
): Promise<MemberChange> {
  // Locks a business's owners, so that two of them cannot remove each other at once.
  const owners = await tx<{ user_id: string }[]>`
    select user_id from users where merchant_id = ${merchantId} and role = 'owner' order by user_id for update`.column();
  // Another owner took the role away since the visit's check. Only this lock shows it.
  if (!owners.includes(by)) return { outcome: 'unknown' };
  const before = await selectUser(tx, { merchantId, userId });
  if (!before) return { outcome: 'unknown' };
  if (takesOwner && owners.length === 1 && owners[0] === userId) return { outcome: 'last_owner' };
  return { outcome: 'changed', before };
}
