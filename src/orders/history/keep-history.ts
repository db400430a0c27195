import { later, second } from '../../base/clock.ts';
import type { World } from '../../base/world.ts';
import { archiveOrders, headStart, removeOrders } from './archive-orders.ts';
import {
  forgetEvents,
  forgetMails,
  forgetNotices,
  type Oldest,
  selectLongestWindow,
  selectOldest,
} from './queries/leaving.ts';
import type { Leaving, Step } from './step.ts';

/** What left, by kind. */
export type Kept = Record<Kind, number> & {
  /** Where to go on; null when every business was looked at. */
  after: number | null;
  /** For how long, in milliseconds, the oldest thing that is still here should have left. */
  overdue: number;
};

type Kind = 'archived' | 'removed' | 'events' | 'mails' | 'notices';

/** In this order: an event leaves after its order, and an order after it was archived. */
const steps: [Kind, Step, (oldest: Oldest) => Date | null][] = [
  ['archived', archiveOrders, ({ unarchived_at }) => unarchived_at && later(unarchived_at, -headStart)],
  ['removed', removeOrders, ({ order_at }) => order_at],
  ['events', forgetEvents, ({ event_at }) => event_at],
  ['mails', forgetMails, ({ mail_at, leaves_alone }) => (leaves_alone ? mail_at : null)],
  ['notices', forgetNotices, ({ notice_at }) => notice_at],
];

const businessesInAPage = 500;
/** Things moved in one step, and how long it may take: a small part of the time that a statement of ours has. */
const stepSize = 1000;
const stepLimit = 10 * second;
/** One large business waits for its next turn while the others have theirs. */
const stepsInATurn = 50;

export type Turn = { after?: number; isOver?: () => boolean };

/**
 * Removes what has left its business's history window, business by business: each is asked for its oldest rows only, so
 * one with nothing to remove costs almost nothing. Every step is a transaction; interrupted anywhere, the next turn
 * carries on where this one stopped.
 */
export async function keepHistory(
  world: Pick<World, 'sql' | 'clock' | 'log'>,
  turn: Turn = {},
): Promise<Kept> {
  const { isOver = () => false } = turn;
  const kept: Kept = { archived: 0, removed: 0, events: 0, mails: 0, notices: 0, after: null, overdue: 0 };
  let after = turn.after ?? 0;
  for (;;) {
    const page = await look(world, after, businessesInAPage);
    for (const oldest of page) {
      if (isOver()) return { ...kept, after };
      if (overdueBy(oldest) >= 0) {
        const went = await workOn(world, oldest, kept, isOver);
        // One that fails slowly uses up the turn: the next one begins behind it, or nobody else would ever leave.
        if (went && isOver()) return { ...kept, after };
        let left: Oldest | undefined = oldest;
        if (went) {
          [left] = await look(world, oldest.merchant_id - 1, 1);
          // What one kind waited for may have left with another: a mail that was needed by its order.
          if (left && overdueBy(left) >= 0) {
            await workOn(world, left, kept, isOver);
            [left] = await look(world, oldest.merchant_id - 1, 1);
          }
        }
        if (left) kept.overdue = Math.max(kept.overdue, overdueBy(left));
      }
      after = oldest.merchant_id;
    }
    if (page.length < businessesInAPage) return kept;
  }
}

async function look(
  { sql, clock }: Pick<World, 'sql' | 'clock'>,
  after: number,
  limit: number,
): Promise<Oldest[]> {
  const longest = await selectLongestWindow(sql);
  return await selectOldest(sql, { now: clock.now(), after, limit, longest });
}

/** Negative when nothing of the business is due. */
function overdueBy(oldest: Oldest): number {
  const moments = steps.map(([, , momentOf]) => momentOf(oldest)).filter(moment => moment !== null);
  return Math.max(
    ...moments.map(moment => oldest.leaves_before.getTime() - moment.getTime()),
    Number.NEGATIVE_INFINITY,
  );
}

/** False when a step failed. */
async function workOn(
  world: Pick<World, 'sql' | 'clock' | 'log'>,
  oldest: Oldest,
  kept: Kept,
  isOver: () => boolean,
): Promise<boolean> {
  let went = true;
  const business: Leaving = {
    merchantId: oldest.merchant_id,
    leavesBefore: oldest.leaves_before,
    leavesAlone: oldest.leaves_alone,
  };
  for (const [kind, step, momentOf] of steps) {
    const moment = momentOf(oldest);
    if (moment === null || moment > oldest.leaves_before) continue;
    for (let number = 0; number < stepsInATurn && !isOver(); number++) {
      try {
        const moved = await takeStep(world, business, step);
        kept[kind] += moved;
        if (moved < stepSize) break;
      } catch (error) {
        // The others must not wait for whatever is wrong with this one; it is looked at again in the next turn.
        world.log.error({ err: error, merchant: business.merchantId, kind }, 'a step of history failed');
        went = false;
        break;
      }
    }
  }
  return went;
}

async function takeStep(
  world: Pick<World, 'sql' | 'clock' | 'log'>,
  business: Leaving,
  step: Step,
): Promise<number> {
  return await world.sql.begin(async tx => {
    await tx.unsafe(`set local statement_timeout = ${stepLimit}`);
    return await step(tx, business, stepSize, world);
  });
}
