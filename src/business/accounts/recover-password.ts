import { hasMail } from '../../base/network/parse-mail-address.ts';
import type { World } from '../../base/world.ts';
import { queueMail, sealLetter } from '../../outbox/mails/queue-mail.ts';
import { type Language, textsIn } from '../../texts/languages.ts';
import { because } from '../../texts/verdicts.ts';
import { addressGuess, mailGuess, mayGuess } from './guesses.ts';
import { makeLink, validFor } from './links.ts';
import { hashPassword } from './password.ts';
import { deleteLinksOfUser, type LinkRow, markLinkUsed } from './queries/links.ts';
import { deleteSessionsOf } from './queries/sessions.ts';
import { selectUserByEmail, writePassword } from './queries/users.ts';
import { installation, recordAudit } from './record-audit.ts';
import { homeOf } from './taken-names.ts';

/** Mails a recovery link if the address has an account. The answer is the same either way. False above the limit. */
export async function askForRecovery(
  asked: Pick<World, 'sql' | 'clock' | 'secrets' | 'baseUrl' | 'cells'>,
  { email, address, language }: { email: string; address: string; language: Language },
): Promise<boolean> {
  const guesses = [addressGuess(address), mailGuess('recover', email)];
  const world = await homeOf(asked, email);
  if (!(await mayGuess(world, guesses))) return false;
  const known = await selectUserByEmail(world.sql, email);
  const user = known && hasMail(known.email) ? known : null;
  const recipient = user?.email ?? email;
  const merchantId = user?.merchant_id ?? installation;
  // Do the same work for an unknown address, so that timing reveals nothing; its mail is never sent.
  await world.sql.begin(async tx => {
    const link = await makeLink(tx, world, {
      merchant_id: merchantId,
      purpose: 'recover',
      email: recipient,
      user_id: user?.user_id ?? null,
      made_by: address,
    });
    const texts = textsIn(user?.language ?? language).mails;
    const mail = { merchantId, recipient, ...texts.recover({ email: recipient, link, address }) };
    await queueMail(tx, {
      ...sealLetter(world, mail),
      now: world.clock.now(),
      usefulFor: validFor.recover,
      isSent: user !== null,
    });
  });
  return true;
}

/** Sets the new password and ends every session. The next sign-in still asks for the second factor. */
export async function recoverPassword(
  { sql, clock }: Pick<World, 'sql' | 'clock'>,
  link: LinkRow,
  { password, address }: { password: string; address: string },
): Promise<boolean> {
  const passwordHash = await hashPassword(password);
  const now = clock.now();
  const { merchant_id: merchantId, link_id: linkId, user_id: userId, email } = link;
  if (userId === null) return false;
  return await sql.begin(async tx => {
    if (!(await markLinkUsed(tx, merchantId, linkId, now))) return false;
    await writePassword(tx, { merchantId, userId }, passwordHash);
    await deleteSessionsOf(tx, merchantId, userId);
    await deleteLinksOfUser(tx, merchantId, userId);
    const who = { merchantId, actor: email, address, now };
    const notice = because('password_recovered', { email });
    await recordAudit(tx, who, { action: 'password.recovered', subject: email, notice });
    return true;
  });
}
