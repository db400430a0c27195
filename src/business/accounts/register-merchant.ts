import type { Transaction } from '../../base/database/connect.ts';
import { isTaken } from '../../base/database/is-taken.ts';
import type { World } from '../../base/world.ts';
import { queueMail, sealLetter } from '../../outbox/mails/queue-mail.ts';
import { type Language, textsIn } from '../../texts/languages.ts';
import { createMerchant, newMerchantId } from '../merchants/create-merchant.ts';
import { defaultPlan, ensureUnapprovedPlan, unapprovedPlan } from '../merchants/plans.ts';
import { addUser } from './add-user.ts';
import { addressGuess, mailGuess, mayGuess } from './guesses.ts';
import { makeLink, validFor } from './links.ts';
import { hashPassword } from './password.ts';
import { markLinkUsed } from './queries/links.ts';
import { selectUserByEmail, writeLanguage } from './queries/users.ts';
import { installation, recordAudit } from './record-audit.ts';
import { firstOf, homeOf } from './taken-names.ts';

type OpenWorld = Pick<World, 'sql' | 'clock' | 'secrets' | 'baseUrl' | 'cells' | 'cell'>;

export type Registered =
  | { outcome: 'opened'; merchantId: number; userId: string }
  | { outcome: 'taken' }
  | { outcome: 'used' };

export type Registration = {
  name: string;
  email: string;
  password: string;
  address: string;
  linkId?: string;
  /** The page's language; mails to this person use it. */
  language: Language;
  /** The version of the terms that the owner accepted, if there are terms. */
  terms?: string | null;
  /** Limits the amounts until an operator approves the business. */
  awaitsWord?: boolean;
};

/**
 * Creates a business and its owner, and uses up the link in the same transaction. If the business's cell is not the
 * link's, the link is used up afterwards. Until then it leads to an address that already has an account.
 */
export async function registerMerchant(
  asked: OpenWorld,
  { name, email, password, address, linkId, language, terms = null, awaitsWord = false }: Registration,
): Promise<Registered> {
  const merchantId = asked.cells?.newId() ?? newMerchantId();
  const world: OpenWorld = asked.cells?.of(merchantId) ?? asked;
  const isFar = world.cell !== undefined && world.cell !== 0;
  const now = world.clock.now();
  const passwordHash = await hashPassword(password);
  try {
    const opened = await world.sql.begin<Registered>(async tx => {
      if (linkId !== undefined && !isFar && !(await markLinkUsed(tx, installation, linkId, now)))
        return { outcome: 'used' };
      if (awaitsWord) await ensureUnapprovedPlan(tx);
      const plan = awaitsWord ? unapprovedPlan : defaultPlan;
      await createMerchant(tx, world, { name, plan, merchantId });
      const userId = await addUser(tx, world, merchantId, { email, passwordHash, role: 'owner' });
      if (language !== 'en') await writeLanguage(tx, { merchantId, userId }, language);
      const who = { merchantId, actor: email, address, now };
      await recordAudit(tx, who, { action: 'business.open', subject: name });
      if (terms !== null) {
        await tx`
          update merchants set terms_version = ${terms}, terms_accepted_at = ${now} where merchant_id = ${merchantId}`;
        await recordAudit(tx, who, { action: 'terms.accept', subject: terms });
      }
      return { outcome: 'opened', merchantId, userId };
    });
    if (linkId !== undefined && isFar) await markLinkUsed(firstOf(world).sql, installation, linkId, now);
    return opened;
  } catch (error) {
    if (isTaken(error)) return { outcome: 'taken' };
    throw error;
  }
}

/** Mails a link that opens a business. If the address has an account, only the mail says so. */
export async function mailRegistrationLink(
  asked: OpenWorld,
  { name, email, address, language }: Pick<Registration, 'name' | 'email' | 'address' | 'language'>,
): Promise<boolean> {
  const world = firstOf(asked);
  const guesses = [addressGuess(address), mailGuess('open', email)];
  if (!(await mayGuess(world, guesses))) return false;
  const known = await selectUserByEmail((await homeOf(world, email)).sql, email);
  await world.sql.begin(async tx => {
    // Also made for a known address but never sent, because the response time must not reveal who has an account.
    const link = await inviteOwner(tx, world, { name, email, madeBy: email });
    const mail = known
      ? textsIn(known.language ?? language).mails.hasAccount({ link: `${world.baseUrl}/dashboard/sign-in` })
      : textsIn(language).mails.openBusiness({ link });
    const letter = sealLetter(world, { merchantId: installation, recipient: email, ...mail });
    await queueMail(tx, { ...letter, now: world.clock.now(), usefulFor: validFor.open_business });
  });
  return true;
}

export async function inviteOwner(
  tx: Transaction,
  world: Pick<World, 'clock' | 'baseUrl'>,
  { name, email, madeBy }: { name: string; email: string; madeBy: string },
): Promise<string> {
  return await makeLink(tx, world, {
    merchant_id: installation,
    purpose: 'open_business',
    email,
    business_name: name,
    made_by: madeBy,
  });
}
