import { later, second } from '../../base/clock.ts';
import type { World } from '../../base/world.ts';
import { notifyOwner } from '../../outbox/notices/notify-owner.ts';
import { because } from '../../texts/verdicts.ts';
import { archiveOrders, headStart, removeOrders } from './archive-orders.ts';
import { forgetEvents, forgetMails, forgetNotices, type Oldest, selectOldest } from './queries/leaving.ts';
import { freeSpentIds, selectLongestKept, updateWindows } from './queries/windows.ts';
import { hiddenFor, type Leaving, type Step } from './step.ts';

/** What left, by kind. */
export type Kept = Record<Kind, number> & {
  /** Where to go on; null when every business was looked at. */
  after: number | null;
  /** For how long, in milliseconds, the oldest thing that is still here should have left. */
  overdue: number;
};

type Kind = 'archived' | 'removed' | 'events' | 'mails' | 'notices';

/** In this order: an event leaves after its order, and an order after it was archived. Each with how long it is due. */
const steps: [Kind, Step, (oldest: Oldest) => number][] = [
  [
    'archived',
    archiveOrders,
    ({ hides_before, unarchived_at }) => between(unarchived_at, later(hides_before, headStart)),
  ],
  ['removed', removeOrders, ({ leaves_before, order_at }) => between(order_at, leaves_before)],
  ['events', forgetEvents, ({ leaves_before, event_at }) => between(event_at, leaves_before)],
  [
    'mails',
    forgetMails,
    ({ leaves_before, mail_at, leaves_alone }) => between(leaves_alone ? mail_at : null, leaves_before),
  ],
  ['notices', forgetNotices, ({ leaves_before, notice_at }) => between(notice_at, leaves_before)],
];

function between(from: Date | null, to: Date | null): number {
  return from === null || to === null ? Number.NEGATIVE_INFINITY : to.getTime() - from.getTime();
}

const businessesInAPage = 500;
/** Things moved in one step, and how long it may take: a small part of the time that a statement of ours has. */
const stepSize = 1000;
const stepLimit = 10 * second;
/** One large business waits for its next turn while the others have theirs. */
const stepsInATurn = 50;
const never = new Date(0);

/**
 * Removes what has left its business's history window, business by business: each is asked for its oldest rows only, so
 * one with nothing to remove costs almost nothing. Every step is a transaction; interrupted anywhere, the next turn
 * carries on where this one stopped.
 */
export async function keepHistory(
  world: Pick<World, 'sql' | 'clock' | 'log' | 'baseUrl'>,
  turn: { after?: number; isOver?: () => boolean } = {},
): Promise<Kept> {
  const { isOver = () => false } = turn;
  const kept: Kept = { archived: 0, removed: 0, events: 0, mails: 0, notices: 0, after: null, overdue: 0 };
  let after = turn.after ?? 0;
  await noteWindows(world);
  while ((await freeSpentIds(world.sql, world.clock.now(), stepSize)) === stepSize && !isOver());
  const longest = await selectLongestKept(world.sql);
  const look = (behind: number, limit: number) =>
    selectOldest(world.sql, { now: world.clock.now(), after: behind, limit, longest });
  for (;;) {
    const page = await look(after, businessesInAPage);
    for (const oldest of page) {
      if (isOver()) return { ...kept, after };
      if (overdueBy(oldest) >= 0) {
        const went = await workOn(world, oldest, kept, isOver);
        // One that fails slowly uses up the turn: the next one begins behind it, or nobody else would ever leave.
        if (went && isOver()) return { ...kept, after };
        let left: Oldest | undefined = oldest;
        if (went) {
          [left] = await look(oldest.merchant_id - 1, 1);
          // What one kind waited for may have left with another: a mail that was needed by its order.
          if (left && overdueBy(left) >= 0) {
            await workOn(world, left, kept, isOver);
            [left] = await look(oldest.merchant_id - 1, 1);
          }
        }
        if (left) kept.overdue = Math.max(kept.overdue, overdueBy(left));
      }
      after = oldest.merchant_id;
    }
    if (page.length < businessesInAPage) return kept;
  }
}

/** Negative when nothing of the business is due. */
function overdueBy(oldest: Oldest): number {
  return Math.max(...steps.map(([, , dueFor]) => dueFor(oldest)));
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
    hidesBefore: oldest.hides_before,
    leavesBefore: oldest.leaves_before ?? never,
    leavesAlone: oldest.leaves_alone,
  };
  for (const [kind, step, dueFor] of steps) {
    if (dueFor(oldest) < 0) continue;
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

async function takeStep(world: Pick<World, 'sql' | 'clock' | 'log'>, business: Leaving, step: Step) {
  return await world.sql.begin(async tx => {
    await tx.unsafe(`set local statement_timeout = ${stepLimit}`);
    return await step(tx, business, stepSize, world);
  });
}

const inOneStep = 500;

/**
 * Looks which businesses' windows have moved since the last look, whoever moved them, and tells owners whose orders are
 * hidden sooner now. Nothing is deleted by a window that has not been looked at for as long as `hiddenFor`.
 */
async function noteWindows({ sql, clock, baseUrl }: Pick<World, 'sql' | 'clock' | 'baseUrl'>): Promise<void> {
  const now = clock.now();
  for (let changed = inOneStep; changed === inOneStep; ) {
    changed = await sql.begin(async tx => {
      const rows = await updateWindows(tx, { now, restedSince: later(now, -hiddenFor), limit: inOneStep });
      for (const { merchant_id: merchantId, before, days, shrank } of rows) {
        if (!shrank || days === null) continue;
        await notifyOwner(tx, {
          merchantId,
          kind: 'history_shorter',
          facts: {
            days,
            before: before === null ? because('history_endless') : because('history_days', { days: before }),
            from: later(now, hiddenFor),
            link: `${baseUrl}/dashboard/orders`,
          },
          dedupeKey: `history ${days} ${now.toISOString()}`,
          now,
        });
      }
      return rows.length;
    });
  }
}
