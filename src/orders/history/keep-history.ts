import { randomUUID } from 'node:crypto';
import { later, minute, second, stopwatch } from '../../base/clock.ts';
import { keepWorking, type Worker } from '../../base/database/keep-working.ts';
import { endLease, leaseLeft, takeLease } from '../../base/database/process-lease.ts';
import type { World } from '../../base/world.ts';
import { historyChannel } from '../../business/merchants/queries.ts';
import { notifyOwner } from '../../outbox/notices/notify-owner.ts';
import { because } from '../../texts/verdicts.ts';
import { archiveOrders, headStart, removeOrders } from './archive-orders.ts';
import { deleteEarly } from './delete-early.ts';
import { hiddenFor, type Leaving, type Step } from './history-step.ts';
import { keepPartitions } from './keep-partitions.ts';
import { forgetEvents, forgetMails, forgetNotices, type Oldest, selectOldest } from './queries/leaving.ts';
import { freeSpentIds, selectLongestKept, updateWindows } from './queries/windows.ts';

type Kept = Record<Kind, number> & {
  /** The business to continue after, or null when all were checked. */
  after: number | null;
  /** How overdue the oldest remaining thing is, in milliseconds. */
  overdue: number;
};

type Kind = 'archived' | 'removed' | 'events' | 'mails' | 'notices';

/** The order matters: orders are deleted after they were archived, and events after their orders. */
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

const merchantsPerPage = 500;
/** Things moved in one step. It takes a small part of a query's time limit. */
const stepSize = 1000;
const stepLimit = 10 * second;
/** Then a large business waits for its next turn, so that the others get theirs. */
const stepsInATurn = 50;
const never = new Date(0);

/**
 * Deletes what is outside its business's history window, business by business. Only the oldest rows are read, so a
 * business with nothing to delete costs almost nothing. Every step is a transaction, so an interrupted turn continues
 * where it stopped.
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
  const selectPage = (behind: number, limit: number) =>
    selectOldest(world.sql, { now: world.clock.now(), after: behind, limit, longest });
  for (;;) {
    const page = await selectPage(after, merchantsPerPage);
    for (const oldest of page) {
      if (isOver()) return { ...kept, after };
      if (overdueBy(oldest) >= 0) {
        const went = await workOn(world, oldest, kept, isOver);
        // A step that fails slowly uses up the turn. The next turn starts after it, so later businesses are reached.
        if (went && isOver()) return { ...kept, after };
        let left: Oldest | undefined = oldest;
        if (went) {
          [left] = await selectPage(oldest.merchant_id - 1, 1);
          // One kind may have waited for another, such as a mail that its order needed.
          if (left && overdueBy(left) >= 0) {
            await workOn(world, left, kept, isOver);
            [left] = await selectPage(oldest.merchant_id - 1, 1);
          }
        }
        if (left) kept.overdue = Math.max(kept.overdue, overdueBy(left));
      }
      after = oldest.merchant_id;
    }
    if (page.length < merchantsPerPage) return kept;
  }
}

/** Negative if nothing of the business is due. */
function overdueBy(oldest: Oldest): number {
  return Math.max(...steps.map(([, , dueFor]) => dueFor(oldest)));
}

async function workOn(
  world: Pick<World, 'sql' | 'clock' | 'log'>,
  oldest: Oldest,
  kept: Kept,
  isOver: () => boolean,
): Promise<boolean> {
  let went = true;
  const merchant: Leaving = {
    merchantId: oldest.merchant_id,
    hidesBefore: oldest.hides_before,
    leavesBefore: oldest.leaves_before ?? never,
    leavesAlone: oldest.leaves_alone,
  };
  for (const [kind, step, dueFor] of steps) {
    if (dueFor(oldest) < 0) continue;
    for (let number = 0; number < stepsInATurn && !isOver(); number++) {
      try {
        const moved = await takeStep(world, merchant, step);
        kept[kind] += moved;
        if (moved < stepSize) break;
      } catch (error) {
        // One faulty business must not stop the others. It is tried again in the next turn.
        world.log.error({ err: error, merchant: merchant.merchantId, kind }, 'a step of history failed');
        went = false;
        break;
      }
    }
  }
  return went;
}

async function takeStep(world: Pick<World, 'sql' | 'clock' | 'log'>, merchant: Leaving, step: Step) {
  return await world.sql.begin(async tx => {
    await tx.unsafe(`set local statement_timeout = ${stepLimit}`);
    return await step(tx, merchant, stepSize, world);
  });
}

const inOneStep = 500;

/**
 * Finds businesses whose windows changed since the last check, and notifies owners whose orders are now hidden sooner.
 * A window deletes nothing until it has been seen for as long as `hiddenFor`.
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

/** The pause between two checks of all businesses when nothing is left to do. */
const pause = 10 * minute;
/** A turn ends after this time, so that the process can stop and the lease can be renewed. */
const turnLimit = 4 * second;
/** Longer than a turn plus the step that runs when it ends. */
const leaseFor = 1 * minute;
/** The pause between two tries for the lease, because another process may take it right after it ends. */
const shortest = 1 * second;
const leaseName = 'history';

/** One process at a time keeps history. It checks, runs steps for a few seconds at a time, and pauses. */
export function startKeepingHistory(world: World): Pick<Worker, 'stop'> {
  const { sql, metrics } = world;
  const overdue = metrics.gauge(
    'milaan_history_overdue_seconds',
    'For how long the oldest thing that should have left history is still here; of the process that keeps history',
  );
  const holder = randomUUID();
  let after = 0;
  let worst = 0;
  const round = async (): Promise<number> => {
    if (!(await takeLease(sql, leaseName, holder, leaseFor))) {
      after = 0;
      overdue.set(0);
      // The holder may have died, so ask again when the lease ends, not a pause later.
      return Math.min(pause, Math.max(shortest, await leaseLeft(sql, leaseName)));
    }
    const elapsed = stopwatch();
    const kept = await keepHistory(world, { after, isOver: () => elapsed() > turnLimit });
    worst = Math.max(worst, kept.overdue);
    after = kept.after ?? 0;
    if (kept.after !== null) return 0;
    overdue.set(worst / second);
    await keepPartitions(world, worst === 0);
    const isDone = (await deleteEarly(world, () => elapsed() > 2 * turnLimit)) && worst === 0;
    worst = 0;
    return isDone ? pause : minute;
  };
  const worker = keepWorking(world, { what: 'keeping history', pause, channel: historyChannel }, round);
  return {
    async stop() {
      await worker.stop();
      await endLease(sql, leaseName, holder).catch(() => {});
    },
  };
}
