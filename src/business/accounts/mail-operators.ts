import { day, hour, later } from '../../base/clock.ts';
import type { Transaction } from '../../base/database/connect.ts';
import type { World } from '../../base/world.ts';
import { queueMail, sealLetter } from '../../outbox/mails/queue-mail.ts';
import { type Texts, textsIn } from '../../texts/languages.ts';
import type { Mail } from '../../texts/texts.ts';
import { selectOperators } from './queries/users.ts';
import { installation } from './record-audit.ts';

/** After a longer SMTP outage the operator has seen the news on the screen. */
const usefulFor = 3 * day;

/** At most one mail per hour reports all news. */
const betweenMails = 1 * hour;

/** Mails each news item once. Without SMTP only the operators' screens show it. */
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

export async function mailOperators(
  tx: Transaction,
  world: Pick<World, 'clock' | 'secrets' | 'cells'>,
  write: (texts: Texts) => Mail,
): Promise<void> {
  // Cell 0 has the operators. The cell that has the news queues the mail.
  for (const { email, language } of await selectOperators(world.cells?.of(installation).sql ?? tx)) {
    const mail = write(textsIn(language ?? 'en'));
    const letter = sealLetter(world, { merchantId: installation, recipient: email, ...mail });
    await queueMail(tx, { ...letter, now: world.clock.now(), usefulFor });
  }
}
