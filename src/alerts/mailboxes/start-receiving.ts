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
  /** The sandbox passes its own, to which it also hands mails directly. It is closed here too. */
  judging?: Judging;
};

/** The whole `mail` role: watches mailboxes, stores and judges banks' mails, and passes them to matching. */
export function startReceiving(
  world: World,
  { judging = openJudging(world), ...options }: ReceivingOptions = {},
): StartedJudging & Pick<Judging, 'warm'> {
  const { tools, keys, figures, warm } = judging;
  const writing = startWritingFigures(world, figures);
  const judged = startJudging(world, tools);
  const refreshing = keepWorking(world, { what: 'refreshing DKIM keys', pause: 1 * hour }, keys.refresh);
  const bounding = keepWorking(world, { what: "limiting strangers' mails", pause: 15 * second }, async () => {
    await boundStrangersMails(world);
  });
  const watching = startWatching(world, {
    ...options,
    isBankSender: address => findBank(world.banks.current(), address) !== null,
    workerSlots: judged.workerSlots,
  });
  return {
    workerSlots: judged.workerSlots,
    warm,
    async stop() {
      // Mails must stop coming before the judges stop.
      await watching.stop();
      await judged.stop();
      await Promise.all([refreshing.stop(), bounding.stop(), writing.stop()]);
      await judging.close();
    },
  };
}
