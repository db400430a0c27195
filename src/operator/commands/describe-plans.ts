import { later } from '../../base/clock.ts';
import type { World } from '../../base/world.ts';
import {
  differences,
  differs,
  type Plan,
  type PlanDifference,
  planFields,
  readPlans,
  selectPlans,
  storePlans,
} from '../../business/merchants/plans.ts';
import { hiddenFor } from '../../orders/history/history-step.ts';
import type { Texts } from '../../texts/languages.ts';
import { copyToOthers } from '../cells/copy-installation.ts';
import { countOnPlan, inEachCell } from '../cells/in-each-cell.ts';
import { countLeaving } from '../queries.ts';

/** Says in businesses and orders, one per line, what the new figures change. */
export async function describePlans(
  world: World,
  differences: readonly PlanDifference[],
  now: Date,
  texts: Texts,
): Promise<string[]> {
  const lines: string[] = [];
  for (const one of differences) lines.push(...(await describe(world, one, now, texts)));
  return lines;
}

async function describe(
  world: World,
  { plan, before, after }: PlanDifference,
  now: Date,
  texts: Texts,
): Promise<string[]> {
  const words = texts.operatorPlans;
  const businesses = await countOnPlan(world, plan);
  if (after === null) return [words.removed({ plan, businesses })];
  if (before === null) {
    const shown = planFields.map(field => `${words.fields[field]} ${sayField(texts, after, field)}`);
    return [words.added({ plan, fields: shown.join(', ') })];
  }
  const days = after.history_days;
  const isShorter = days !== null && days < (before.history_days ?? Number.POSITIVE_INFINITY);
  const leaving = isShorter
    ? await inEachCell(world, ({ sql }) =>
        countLeaving(sql, { plan, from: before.history_days, to: days, now }),
      )
    : null;
  const sum = (key: 'orders' | 'businesses') =>
    leaving?.reduce((all, one) => all + (one?.[key] ?? 0), 0).toLocaleString('en-IN') ?? '';
  return planFields
    .filter(field => differs(before, after, field))
    .map(field =>
      field === 'history_days' && leaving
        ? words.leaves({
            plan,
            before: before.history_days === null ? words.noEnd : String(before.history_days),
            after: String(days),
            orders: sum('orders'),
            businesses: sum('businesses'),
            day: later(now, hiddenFor).toISOString().slice(0, 10),
          })
        : words.changed({
            plan,
            field: words.fields[field],
            before: sayField(texts, before, field),
            after: sayField(texts, after, field),
            businesses,
          }),
    );
}

export function sayField(
  { labels, operatorPlans: words }: Texts,
  plan: Plan,
  field: (typeof planFields)[number],
): string {
  const value = plan[field];
  if (field === 'upgrade_url') return plan.upgrade_url ?? labels.none;
  if (field === 'title') return plan.title === null ? labels.none : Object.values(plan.title).join(' / ');
  if (field === 'history_days') return value === null ? words.noEnd : words.days({ count: Number(value) });
  if (field === 'price_paise') return value === null ? words.notForSale : inRupees(Number(value));
  if (field === 'period_days') return value === null ? labels.none : words.days({ count: Number(value) });
  if (value === null) return labels.noLimit;
  return field === 'monthly_limit_paise' ? inRupees(Number(value)) : String(value);
}

function inRupees(paise: number): string {
  return `₹${(paise / 100).toLocaleString('en-IN')}`;
}

/**
 * A start with PLANS_FILE stores its plans only while there is no business, so an outdated or mistyped file changes
 * nothing later. With several databases, cell 0's plans are in force. Businesses in a cell that is down are unknown.
 */
export async function applyPlansFile(world: World, path: string, say: (line: string) => void): Promise<void> {
  const wanted = readPlans(path);
  const differing = differences(await selectPlans(world.sql), wanted).map(({ plan }) => plan);
  if (differing.length === 0) return;
  const inUse = await inEachCell(world, ({ sql }) => sql`select from merchants limit 1`.some());
  if (inUse.every(some => some === false)) {
    await storePlans(world.sql, wanted);
    return await copyToOthers(world);
  }
  say(
    `warning: PLANS_FILE differs from the plans in force (${differing.join(', ')}); milaan apply-plans ${path} shows the difference and asks`,
  );
}
