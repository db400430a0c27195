import { day, hour, later } from '../../base/clock.ts';
import type { Transaction } from '../../base/database/connect.ts';
import type { World } from '../../base/world.ts';
import { installation } from '../../business/accounts/record-deed.ts';
import { queueMail, sealLetter } from '../../outbox/mails/queue-mail.ts';
import { type Texts, textsIn } from '../../texts/languages.ts';
import { claimUnmailedLines, selectOperators } from './queries/held-lines.ts';

/** New lines of so long are told of in one mail: however many there are, nobody is flooded. */
const betweenMails = 1 * hour;
/** Where SMTP was away for longer, the operator's screen has told. */
const usefulFor = 3 * day;

/** Tells every operator about lines that wait for them, each line once. Without SMTP only their screen does. */
export async function mailHeldLines(
  world: Pick<World, 'sql' | 'clock' | 'config' | 'secrets' | 'baseUrl'>,
): Promise<number> {
  const { sql, clock, config, baseUrl } = world;
  if (config.smtpUrl === null) return 0;
  const now = clock.now();
  return await sql.begin(async tx => {
    const lines = await claimUnmailedLines(tx, now, later(now, -betweenMails));
    if (lines.length === 0) return 0;
    const link = `${baseUrl}/dashboard/operator/banks`;
    await mailOperators(tx, world, ({ mails }) => mails.heldLines({ lines, link }));
    return lines.length;
  });
}

/** One mail to each operator, in their language. */
export async function mailOperators(
  tx: Transaction,
  world: Pick<World, 'clock' | 'secrets'>,
  write: (texts: Texts) => { subject: string; text: string },
): Promise<void> {
  for (const { email, language } of await selectOperators(tx)) {
    const mail = write(textsIn(language ?? 'en'));
    const letter = sealLetter(world, { merchantId: installation, recipient: email, ...mail });
    await queueMail(tx, { ...letter, now: world.clock.now(), usefulFor });
  }
}
