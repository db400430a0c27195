import { minute } from '../../clock.ts';
import { keepWorking } from '../../database/keep-working.ts';
import { canMail } from '../../mails/open-smtp.ts';
import type { World } from '../../world.ts';
import { mostInARound, sendSummaries } from './send-summaries.ts';

const pause = 1 * minute;

/** The day by mail, for whoever asked for it; where no mail leaves, nothing runs. */
export function startSummaries(world: World): { stop(): Promise<void> } {
  if (!canMail(world.config)) return { stop: async () => {} };
  return keepWorking(world, { what: 'writing daily summaries', pause }, async () =>
    (await sendSummaries(world)) < mostInARound ? pause : 0,
  );
}
