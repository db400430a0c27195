import { mayGuess } from '../../../accounts/guesses.ts';
import { type TriedMail, tryMail } from '../../../alerts/try-mail.ts';
import { alertAddresses } from '../../../mailboxes/alert-addresses.ts';
import { mostMailBytes } from '../../../mailboxes/limits.ts';
import type { World } from '../../../world.ts';
import type { Visit } from '../../route.ts';

/** The uploaded mail and what would become of it, or what is wrong with the upload. */
export async function takeMail(
  world: World,
  { form, merchantId, texts }: Visit,
): Promise<TriedMail | { fault: string }> {
  const words = texts.tryMail;
  const raw = form.file('mail');
  if (raw === null) return { fault: words.noFile };
  if (raw.length > mostMailBytes) return { fault: words.tooLarge };
  if (!(await mayGuess(world, [{ kind: 'trying', whom: String(merchantId) }])))
    return { fault: words.tooMany };
  const addresses = await alertAddresses(world.sql, merchantId);
  return (await tryMail(world, raw, addresses)) ?? { fault: words.busy };
}
