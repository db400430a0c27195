import { second } from '../base/clock.ts';
import { keepWorking } from '../base/database/keep-working.ts';
import type { World } from '../base/world.ts';

/** Poll instead of using NOTIFY: people do not notice a second, and the paying transaction stays short. */
const pause = 1 * second;
/** The limit of parallel sends in this process. A slow address holds one place, and a business only a few. */
const places = 64;

type NoticeQueue<Due> = {
  what: string;
  claim(now: Date, limit: number, inHand: Iterable<number>): Promise<Due[]>;
  deliver(due: Due, stopping: AbortSignal): Promise<string>;
  count(outcome: string): void;
};

export function deliverNotices<Due extends { merchant_id: number }>(
  world: World,
  { what, claim, deliver, count }: NoticeQueue<Due>,
): { stop(): Promise<void> } {
  const stopping = new AbortController();
  const inHand = new Map<Promise<void>, number>();
  const worker = keepWorking(world, { what, pause }, async () => {
    const limit = places - inHand.size;
    if (limit === 0) return pause;
    const due = await claim(world.clock.now(), limit, inHand.values());
    for (const one of due) {
      const telling = deliver(one, stopping.signal)
        .then(count, error => {
          count('failed');
          world.log.error({ err: error }, `${what}: an outcome was not recorded; its lease will lapse`);
        })
        .finally(() => inHand.delete(telling));
      inHand.set(telling, one.merchant_id);
    }
    return due.length > 0 ? 0 : pause;
  });
  return {
    async stop() {
      await worker.stop();
      // Cut off running sends instead of waiting; they are tried again.
      stopping.abort();
      await Promise.all(inHand.keys());
    },
  };
}
