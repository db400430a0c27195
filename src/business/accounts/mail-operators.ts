import { day, hour, later } from '../../base/clock.ts';
import type { Transaction } from '../../base/database/connect.ts';
import type { World } from '../../base/world.ts';
import { queueMail, sealLetter } from '../../outbox/mails/queue-mail.ts';
import { type Texts, textsIn } from '../../texts/languages.ts';
import type { Mail } from '../../texts/texts.ts';
import { selectOperators } from './queries/users.ts';
import { installation } from './record-audit.ts';

/** Where SMTP was away for longer, the operator's screen has told. */
const usefulFor = 3 * day;

/** However much is new, one mail reports it. */
const betweenMails = 1 * hour;

/** Each thing that is new is mailed once. Without SMTP only the operators' screens report it. */
export async function mailNews<Row>(
  world: Pick<World, 'sql' | 'clock' | 'config' | 'secrets' | 'cells'>,
  claim: (tx: Transaction, now: Date, notSince: Date) => PromiseLike<readonly Row[]>,
  write: (texts: Texts, rows: readonly Row[]) => Mail,
): Promise<number> {
  if (world.config.smtpUrl === null) return 0;
  const now = world.clock.now();
  return await world.sql.begin(async tx => {
    const rows = await claim(tx, now, later(now, -betweenMails));
    if (rows.length > 0) await mailOperators(tx, world, texts => write(texts, rows));
    return rows.length;
  });
}

/** One mail to each operator, in their language. */
export async function mailOperators(
  tx: Transaction,
  world: Pick<World, 'clock' | 'secrets' | 'cells'>,
  write: (texts: Texts) => Mail,
): Promise<void> {
  // Of several databases the first has the operators, and the cell that has something to tell mails it.
  for (const { email, language } of await selectOperators(world.cells?.of(installation).sql ?? tx)) {
    const mail = write(textsIn(language ?? 'en'));
    const letter = sealLetter(world, { merchantId: installation, recipient: email, ...mail });
    await queueMail(tx, { ...letter, now: world.clock.now(), usefulFor });
  }
}
