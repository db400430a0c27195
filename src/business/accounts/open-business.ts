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
import { writeTerms } from './queries/businesses.ts';
import { markLinkUsed } from './queries/links.ts';
import { selectUserByEmail, writeLanguage } from './queries/users.ts';
import { installation, recordAudit } from './record-audit.ts';
import { firstOf, homeOf } from './taken-names.ts';

type OpenWorld = Pick<World, 'sql' | 'clock' | 'secrets' | 'baseUrl' | 'cells' | 'cell'>;

export type OpenedBusiness =
  | { outcome: 'opened'; merchantId: number; userId: string }
  | { outcome: 'taken' }
  | { outcome: 'used' };

export type NewBusiness = {
  name: string;
  email: string;
  password: string;
  address: string;
  linkId?: string;
  /** Of the page on which the account was made; mails to this person are written in it. */
  language: Language;
  /** The version of the terms that its owner agreed to, where there are terms. */
  terms?: string | null;
  /** It takes little until an operator agrees. */
  awaitsWord?: boolean;
};

/**
 * A business and its owner, in one transaction with the use of the link that led here. Where it gets its home in another
 * cell than the link, the link is used up afterwards: until then it leads to an address that has an account.
 */
export async function openBusiness(
  asked: OpenWorld,
  { name, email, password, address, linkId, language, terms = null, awaitsWord = false }: NewBusiness,
): Promise<OpenedBusiness> {
  const merchantId = asked.cells?.newId() ?? newMerchantId();
  const world: OpenWorld = asked.cells?.of(merchantId) ?? asked;
  const isFar = world.cell !== undefined && world.cell !== 0;
  const now = world.clock.now();
  const passwordHash = await hashPassword(password);
  try {
    const opened = await world.sql.begin<OpenedBusiness>(async tx => {
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
        await writeTerms(tx, merchantId, terms, now);
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

/** Mails the link that opens a business. Whoever has an account already is told so, and only there. */
export async function askToOpenBusiness(
  asked: OpenWorld,
  { name, email, address, language }: Pick<NewBusiness, 'name' | 'email' | 'address' | 'language'>,
): Promise<boolean> {
  const world = firstOf(asked);
  const guesses = [addressGuess(address), mailGuess('open', email)];
  if (!(await mayGuess(world, guesses))) return false;
  const known = await selectUserByEmail((await homeOf(world, email)).sql, email);
  await world.sql.begin(async tx => {
    // Made for a known address too, and told to nobody: the time that it takes must not tell who has an account.
    const link = await inviteOwner(tx, world, { name, email, madeBy: email });
    const mail = known
      ? textsIn(known.language ?? language).mails.hasAccount({ link: `${world.baseUrl}/dashboard/sign-in` })
      : textsIn(language).mails.openBusiness({ link });
    const letter = sealLetter(world, { merchantId: installation, recipient: email, ...mail });
    await queueMail(tx, { ...letter, now: world.clock.now(), usefulFor: validFor.open_business });
  });
  return true;
}

/** A link that opens a business for this address. */
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
