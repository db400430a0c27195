import { later, minute, second } from '../../base/clock.ts';
import { keepWorking, type Worker } from '../../base/database/keep-working.ts';
import type { World } from '../../base/world.ts';
import { orderChannel } from '../order-news.ts';
import { applySales } from './apply-sales.ts';
import { keepTerms } from './keep-terms.ts';

const pause = 30 * second;
/** A busy installation pays many orders a second, and next to none of them is a plan. */
const breath = 250;
/** Between two looks at terms: their moments are days apart. */
const looksApart = 1 * minute;

/** Gives plans to whoever paid for them, and keeps the terms that they have. Any number of processes may do it. */
export function startSelling(world: World): Pick<Worker, 'stop'> {
  let nextLook = new Date(0);
  const rhythm = { what: 'giving plans that were paid for', pause, channel: orderChannel, breath };
  return keepWorking(world, rhythm, async () => {
    await applySales(world);
    const now = world.clock.now();
    // The sandbox's clock may go back.
    const wait = nextLook.getTime() - now.getTime();
    if (wait > 0 && wait <= looksApart) return;
    await keepTerms(world);
    nextLook = later(now, looksApart);
  });
}
