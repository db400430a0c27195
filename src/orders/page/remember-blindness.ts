import { BoundedMap } from '../../base/bounded-map.ts';
import { second } from '../../base/clock.ts';
import { withDeadline } from '../../base/database/with-deadline.ts';
import type { World } from '../../base/world.ts';

/** Whether the mailbox that would confirm this merchant's payments is known to be unreachable. */
export type IsBlind = (merchantId: number) => Promise<boolean>;

const keptFor = 5 * second;
const keptLimit = 10_000;
/** The banner is a courtesy, so the page must not wait long for it, or fail with it. */
const patience = 0.5 * second;

/** Asks once in a few seconds for a merchant at most, however many customers are paying. */
export function rememberBlindness(isBlind: IsBlind, { clock, log }: Pick<World, 'clock' | 'log'>): IsBlind {
  const kept = new BoundedMap<number, { blind: Promise<boolean>; until: number }>(keptLimit);
  return merchantId => {
    const now = clock.now().getTime();
    const known = kept.get(merchantId);
    const left = known ? known.until - now : 0;
    // Without the second bound, a clock that was set ahead and back would keep an old answer for as long.
    if (known && left > 0 && left <= keptFor) return known.blind;
    const blind = withDeadline(isBlind(merchantId), patience).catch((error: unknown) => {
      log.warn({ err: error }, 'the state of the mailbox is not known');
      return false;
    });
    kept.set(merchantId, { blind, until: now + keptFor });
    return blind;
  };
}
