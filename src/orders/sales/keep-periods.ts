import { day, later } from '../../base/clock.ts';
import type { Transaction } from '../../base/database/connect.ts';
import type { World } from '../../base/world.ts';
import { recordAudit } from '../../business/accounts/record-audit.ts';
import { defaultPlan, wouldLimitSeller } from '../../business/merchants/plans.ts';
import { lockMerchant, planExists, refuseMoved, setPlan } from '../../business/merchants/queries.ts';
import { notifyOwner } from '../../outbox/notices/notify-owner.ts';
import {
  cutPeriod,
  markPeriod,
  movePeriod,
  type PlanPeriod,
  selectDuePeriods,
  selectPeriods,
  selectPlanOf,
} from './queries.ts';

/** Begins plan periods, announces their ends and ends them, however late it runs. If one fails, the others continue. */
export async function keepPeriods(
  { sql, clock, log }: Pick<World, 'sql' | 'clock' | 'log'>,
  mostAtOnce = 200,
) {
  const now = clock.now();
  let due: number[];
  let after = 0;
  do {
    due = await selectDuePeriods(sql, now, { most: mostAtOnce, after });
    for (const merchantId of due) {
      await sql
        .begin(tx => keepPeriodsOf(tx, merchantId, now))
        .catch(error => log.error({ err: error, merchantId }, "a business's plan periods were not updated"));
      after = merchantId;
    }
  } while (due.length === mostAtOnce);
}

/** A plan that somebody set by hand stays. A period only replaces the plan of the period before it. */
async function keepPeriodsOf(tx: Transaction, merchantId: number, now: Date): Promise<void> {
  await lockMerchant(tx, merchantId);
  await refuseMoved(tx, merchantId);
  const periods = await selectPeriods(tx, merchantId);
  let plan = await selectPlanOf(tx, merchantId);
  const move = async (from: string | undefined, to: string) => {
    if ((from !== undefined && plan !== from) || plan === to || !(await planExists(tx, to))) return;
    if (await wouldLimitSeller(tx, merchantId, to)) return;
    await setPlan(tx, merchantId, to);
    const who = { merchantId, actor: 'milaan', address: '', now };
    await recordAudit(tx, who, { action: 'business.plan', subject: String(merchantId), details: to });
    plan = to;
  };
  for (const [at, period] of periods.entries()) {
    const isLast = at === periods.length - 1;
    let { begun_at, is_over } = period;
    if (begun_at === null && period.starts_at <= now) {
      begun_at = now;
      await move(periods[at - 1]?.plan, period.plan);
    }
    const next = periods[at + 1];
    const stage = stageOf(period, now);
    if (isLast && stage > period.told) await remind(tx, { merchantId, period, stage, now });
    if (next ? next.starts_at <= now : stage === lapsed) is_over = true;
    if (isLast && stage === lapsed) await move(period.plan, defaultPlan);
    await markPeriod(tx, merchantId, {
      order_id: period.order_id,
      begun_at,
      told: Math.min(stage, 3),
      is_over,
    });
  }
}

const lapsed = 4;

function stageOf({ ends_at, lapses_at }: PlanPeriod, now: Date): number {
  if (lapses_at <= now) return lapsed;
  if (ends_at <= now) return 3;
  if (later(ends_at, -1 * day) <= now) return 2;
  return later(ends_at, -7 * day) <= now ? 1 : 0;
}

type Reminder = { merchantId: number; period: PlanPeriod; stage: number; now: Date };

async function remind(tx: Transaction, { merchantId, period, stage, now }: Reminder): Promise<void> {
  const plan = period.title.en;
  const news =
    stage === lapsed
      ? ({ kind: 'plan_over', facts: { plan } } as const)
      : stage === 3
        ? ({ kind: 'plan_ended', facts: { plan, until: period.lapses_at } } as const)
        : ({ kind: 'plan_ending', facts: { plan, until: period.ends_at } } as const);
  // A period that became longer has a new end, so its owner is notified again.
  const dedupeKey = `term ${period.order_id} ${period.ends_at.getTime()} ${stage}`;
  await notifyOwner(tx, { merchantId, ...news, dedupeKey, now });
}

/**
 * The operator refunded money. The period ends at the moment they choose, without days of grace, and later periods
 * move forward. Null if there is no such period, or it ends earlier.
 */
export async function endPeriod(
  tx: Transaction,
  { merchantId, orderId, endsAt, now }: { merchantId: number; orderId: string; endsAt: Date; now: Date },
): Promise<PlanPeriod | null> {
  await lockMerchant(tx, merchantId);
  const periods = await selectPeriods(tx, merchantId);
  const at = periods.findIndex(period => period.order_id === orderId);
  const period = periods[at];
  if (!period || endsAt > period.ends_at || period.ends_at <= now) return null;
  const end = new Date(
    Math.max(endsAt.getTime(), period.starts_at.getTime(), period.begun_at ? now.getTime() : 0),
  );
  await cutPeriod(tx, merchantId, orderId, end);
  for (const next of periods.slice(at + 1))
    await movePeriod(tx, merchantId, next.order_id, end.getTime() - period.ends_at.getTime());
  await keepPeriodsOf(tx, merchantId, now);
  return { ...period, ends_at: end };
}
