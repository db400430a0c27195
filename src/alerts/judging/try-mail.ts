import type { World } from '../../base/world.ts';
import { withMailLineEnds } from '../mail/split-headers.ts';
import { askKeys } from '../origin/ask-keys.ts';
import type { Judgement } from './judge-mail.ts';
import { startJudges } from './start-judges.ts';

/** Mails tried at once in one process, each with a thread of its own: the watched mailboxes have theirs. */
const mostAtOnce = 2;
let inHand = 0;

export type TriedMail = {
  /** As if whoever the bank wrote to were the business. */
  readonly judgement: Judgement;
  /** Whom the bank wrote to, where that is no address of the business. */
  readonly otherRecipients: string | null;
};

/**
 * What would become of a mail that somebody uploads: the usual gates, in a thread of its own, with keys from DNS.
 * Nothing is stored and no order is looked for, so it can pay nothing. Null while too many are being tried.
 */
export async function tryMail(
  world: Pick<World, 'dns' | 'clock' | 'log' | 'banks'>,
  raw: Buffer,
  addresses: readonly string[],
): Promise<TriedMail | null> {
  if (inHand >= mostAtOnce) return null;
  inHand++;
  const judges = startJudges({
    banks: world.banks.current,
    keys: askKeys(world.dns),
    log: world.log,
    threads: 1,
  });
  try {
    const now = world.clock.now();
    const mail = withMailLineEnds(raw);
    const judge = (to: readonly string[]) => judges.judge(mail, { addresses: to, arrivedAt: now, now });
    const judgement = await judge(addresses);
    if (judgement.reason.code !== 'addressed_elsewhere') return { judgement, otherRecipients: null };
    // The mailbox may come later: all the rest is told as if it were connected already.
    const otherRecipients = String(judgement.reason.facts.recipients);
    return { judgement: await judge(otherRecipients.split(', ')), otherRecipients };
  } finally {
    inHand--;
    await judges.close();
  }
}
