import { day } from '../../base/clock.ts';
import type { Transaction } from '../../base/database/connect.ts';
import type { World } from '../../base/world.ts';
import { queueMail, sealLetter } from '../../outbox/mails/queue-mail.ts';
import { type Texts, textsIn } from '../../texts/languages.ts';
import { selectOperators } from './queries/users.ts';
import { installation } from './record-deed.ts';

/** Where SMTP was away for longer, the operator's screen has told. */
const usefulFor = 3 * day;

/** One mail to each operator, in their language. */
export async function mailOperators(
  tx: Transaction,
  world: Pick<World, 'clock' | 'secrets' | 'cells'>,
  write: (texts: Texts) => { subject: string; text: string },
): Promise<void> {
  // Of several databases the first has the operators, and the cell that has something to tell mails it.
  for (const { email, language } of await selectOperators(world.cells?.of(installation).sql ?? tx)) {
    const mail = write(textsIn(language ?? 'en'));
    const letter = sealLetter(world, { merchantId: installation, recipient: email, ...mail });
    await queueMail(tx, { ...letter, now: world.clock.now(), usefulFor });
  }
}
