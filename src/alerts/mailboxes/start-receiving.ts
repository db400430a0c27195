import { hour, second } from '../../base/clock.ts';
import { keepWorking } from '../../base/database/keep-working.ts';
import type { World } from '../../base/world.ts';
import { findBank } from '../banks/bank.ts';
import { startWritingFigures } from '../judging/bank-figures.ts';
import { boundStrangersMails } from '../judging/bound-strangers-mails.ts';
import { type Judging, openJudging } from '../judging/open-judging.ts';
import { type StartedJudging, startJudging } from '../judging/start-judging.ts';
import { startWatching, type WatchOptions } from './start-watching.ts';

export type ReceivingOptions = Partial<Omit<WatchOptions, 'isBankSender' | 'workerSlots'>> & {
  /** The sandbox brings its own, and hands mails to it beside the mailboxes. Closed with the rest all the same. */
  judging?: Judging;
};

/** The `mail` role whole: mailboxes are watched, what banks sent is stored, judged, and handed to matching. */
export function startReceiving(
  world: World,
  { judging = openJudging(world), ...options }: ReceivingOptions = {},
): StartedJudging {
  const { tools, keys, figures } = judging;
  const writing = startWritingFigures(world, figures);
  const judged = startJudging(world, tools);
  const refreshing = keepWorking(world, { what: 'refreshing DKIM keys', pause: 1 * hour }, keys.refresh);
  const bounding = keepWorking(world, { what: "bounding strangers' mails", pause: 15 * second }, async () => {
    await boundStrangersMails(world);
  });
  const watching = startWatching(world, {
    ...options,
    isBankSender: address => findBank(world.banks.current(), address) !== null,
    workerSlots: judged.workerSlots,
  });
  return {
    workerSlots: judged.workerSlots,
    async stop() {
      // First what brings work, then what does it.
      await watching.stop();
      await judged.stop();
      await Promise.all([refreshing.stop(), bounding.stop(), writing.stop()]);
      await judging.close();
    },
  };
}
