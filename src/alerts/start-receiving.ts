import { hour } from '../clock.ts';
import { type StartedWatching, startWatching, type WatchOptions } from '../mailboxes/start-watching.ts';
import { confirmPayment } from '../matching/confirm-payment.ts';
import { repeat } from '../repeat.ts';
import type { World } from '../world.ts';
import type { Bank } from './bank.ts';
import { findBank } from './find-bank.ts';
import { startJudges } from './judge-in-worker.ts';
import { rememberedKeys } from './remembered-keys.ts';
import { startJudging } from './start-judging.ts';
import { storeMail } from './store-mail.ts';

export type ReceivingOptions = Partial<Omit<WatchOptions, 'isBankSender' | 'storeMail'>>;

/** The `mail` role whole: mailboxes are watched, what banks sent is stored, judged, and handed to matching. */
export function startReceiving(
  world: World,
  banks: readonly Bank[],
  options: ReceivingOptions = {},
): StartedWatching {
  const keys = rememberedKeys(world);
  const judges = startJudges({ banks, keys: keys.ask, log: world.log });
  const judging = startJudging(world, {
    judge: (raw, { addresses, arrivedAt, now }) => judges.judge(raw, { addresses, arrivedAt, now }),
    confirm: credit => confirmPayment(world, credit),
  });
  const refreshing = repeat(world.log, 'refreshing DKIM keys', 1 * hour, keys.refresh);
  const watching = startWatching(world, {
    ...options,
    isBankSender: address => findBank(banks, address) !== null,
    storeMail,
  });
  return {
    async stop() {
      // First what brings work, then what does it.
      await watching.stop();
      await judging.stop();
      await refreshing.stop();
      await judges.close();
    },
  };
}
