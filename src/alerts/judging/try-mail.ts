import type { World } from '../../base/world.ts';
import { withMailLineEnds } from '../mail/split-headers.ts';
import { askKeys } from '../origin/ask-keys.ts';
import type { Judgement } from './judge-mail.ts';
import { startJudges } from './start-judges.ts';

/** Mails tried at once in one process, each in its own thread, apart from the threads of watched mailboxes. */
const mostAtOnce = 2;
let inHand = 0;

export type TriedMail = {
  /** The judgement as if the bank's recipient were the business. */
  readonly judgement: Judgement;
  /** The bank's recipients, if none of them is an address of the business. */
  readonly otherRecipients: string | null;
};

/**
 * Judges an uploaded mail with the usual gates and with keys from DNS, in its own thread. Nothing is stored and no
 * order is looked for, so it can pay nothing. Null while too many are being tried.
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
    // The mailbox may be connected later, so judge as if it were.
    const otherRecipients = String(judgement.reason.facts.recipients);
    return { judgement: await judge(otherRecipients.split(', ')), otherRecipients };
  } finally {
    inHand--;
    await judges.close();
  }
}
