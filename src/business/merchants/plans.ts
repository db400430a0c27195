import { readFileSync } from 'node:fs';
import type { Queryable, Sql, Transaction } from '../../base/database/connect.ts';
import { isDatabaseDown } from '../../base/database/database-down.ts';
import { isStorable } from '../../base/http/text.ts';
import { mostPaise } from '../../base/money.ts';
import { StartError } from '../../base/start-error.ts';
import type { Cells } from '../../base/world.ts';
import { type Language, languageTags } from '../../texts/language-tags.ts';
import { historyChannel, isDisabled } from './queries.ts';

/** A plan's limits on the collected sum, accounts and history. Null means no limit. */
export type Plan = {
  plan: string;
  /** Null: the plan's own name in every language. */
  title: Record<Language, string> | null;
  monthly_limit_paise: number | null;
  account_limit: number | null;
  history_days: number | null;
  upgrade_url: string | null;
  /** The price and its number of days; both or neither. */
  price_paise: number | null;
  period_days: number | null;
};

export type PlanForSale = Plan & { price_paise: number; period_days: number };

export function titleOf({ plan, title }: Plan): Record<Language, string> {
  return title ?? { en: plan, hi: plan };
}

export function isForSale(plan: Plan): plan is PlanForSale {
  return plan.price_paise !== null && plan.period_days !== null;
}

export const defaultPlan = 'standard';
/** The plan of businesses that opened by themselves and wait for approval (SIGNUPS=approve). */
export const unapprovedPlan = 'unapproved';
const unapprovedPaise = 5_000 * 100;
const mostPlans = 100;
export const leastHistoryDays = 7;
/** Twice the days of grace, so that a renewal on the last day still leaves most of the bought period. */
const leastPeriodDays = 14;
const mostPeriodDays = 3660;
const longestTitle = 40;
const limits = ['monthly_limit_paise', 'account_limit', 'history_days'] as const;
export const planFields = ['title', ...limits, 'upgrade_url', 'price_paise', 'period_days'] as const;

export function readPlans(path: string | null, called = 'PLANS_FILE'): Plan[] {
  if (path === null) return [unlimited];
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch (error) {
    throw new StartError(`${called} cannot be read: ${(error as Error).message}`);
  }
  return parsePlans(text, what => new StartError(`${called} ${path}: ${what}`));
}

const unlimited: Plan = {
  plan: defaultPlan,
  title: null,
  monthly_limit_paise: null,
  account_limit: null,
  history_days: null,
  upgrade_url: null,
  price_paise: null,
  period_days: null,
};

export function parsePlans(text: string, wrong: (what: string) => Error): Plan[] {
  let parsed: unknown;
  try {
    parsed = JSON.parse(text);
  } catch (error) {
    throw wrong(`is not JSON (${(error as Error).message})`);
  }
  if (!isObject(parsed)) throw wrong('must be an object of plans by name');
  const plans = Object.entries(parsed).map(([name, value]) => readPlan(name, value, wrong));
  if (plans.length > mostPlans) throw wrong(`names more than ${mostPlans} plans`);
  return plans.some(({ plan }) => plan === defaultPlan) ? plans : [unlimited, ...plans];
}

function readPlan(name: string, value: unknown, wrong: (what: string) => Error): Plan {
  if (!/^[a-z0-9_-]{1,40}$/.test(name)) throw wrong(`"${name}" is not a plan name (a-z, 0-9, - and _)`);
  if (!isObject(value)) throw wrong(`plan "${name}" must be an object`);
  const unknown = Object.keys(value).find(key => !planFields.some(field => field === key));
  if (unknown !== undefined) throw wrong(`plan "${name}" has an unknown field "${unknown}"`);
  const whole = (key: string, least: number, most = Number.MAX_SAFE_INTEGER) => {
    const number = value[key] ?? null;
    if (
      number === null ||
      (Number.isSafeInteger(number) && Number(number) >= least && Number(number) <= most)
    )
      return number as number | null;
    const bounds = most === Number.MAX_SAFE_INTEGER ? '' : ` and at most ${most}`;
    throw wrong(`plan "${name}": ${key} must be a whole number of at least ${least}${bounds}, or left out`);
  };
  const url = value['upgrade_url'] ?? null;
  if (url !== null && (typeof url !== 'string' || !/^https?:\/\//.test(url) || !URL.canParse(url))) {
    throw wrong(`plan "${name}": upgrade_url must be an http or https address`);
  }
  const price = whole('price_paise', 100, mostPaise);
  const period = whole('period_days', leastPeriodDays, mostPeriodDays);
  if ((price === null) !== (period === null))
    throw wrong(`plan "${name}": price_paise and period_days come together, or not at all`);
  if (price !== null && name === defaultPlan)
    throw wrong(`plan "${name}" is what businesses have when a plan period is over, so it cannot be sold`);
  return {
    plan: name,
    title: readTitle(name, value['title'] ?? null, wrong),
    monthly_limit_paise: whole('monthly_limit_paise', 1),
    account_limit: whole('account_limit', 1),
    history_days: whole('history_days', leastHistoryDays),
    upgrade_url: url,
    price_paise: price,
    period_days: period,
  };
}

function readTitle(name: string, given: unknown, wrong: (what: string) => Error): Plan['title'] {
  if (given === null) return null;
  const ok = (title: unknown) =>
    typeof title === 'string' && isStorable(title) && title.trim() !== '' && title.length <= longestTitle;
  if (
    !isObject(given) ||
    !languageTags.every(tag => ok(given[tag])) ||
    Object.keys(given).length !== languageTags.length
  )
    throw wrong(
      `plan "${name}": title must be an object with a text of at most ${longestTitle} characters for each of: ${languageTags.join(', ')}`,
    );
  return Object.fromEntries(languageTags.map(tag => [tag, String(given[tag]).trim()])) as Plan['title'];
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export class PlansRefused extends StartError {}

/** Only this function writes plans, and it deletes all others. `expected`: those that a person saw and agreed to. */
export async function storePlans(
  sql: Sql,
  plans: readonly Plan[],
  expected?: readonly Plan[],
): Promise<void> {
  await sql.begin(tx => writePlans(tx, plans, { expected }));
}

type Writing = {
  expected?: readonly Plan[] | undefined;
  /** If left out, every unpaid sale may still be paid. */
  now?: Date;
  /** With several cells, `tx` is in cell 0; the businesses of all cells use its plans. */
  cells?: Cells | undefined;
};

export async function writePlans(
  tx: Transaction,
  plans: readonly Plan[],
  { expected, now = new Date(0), cells }: Writing,
): Promise<void> {
  const names = plans.map(({ plan }) => plan);
  await tx`lock table plans in share row exclusive mode`;
  const inForce = await selectPlans(tx);
  if (expected && differences(inForce, expected).length > 0)
    throw new PlansRefused('the plans were changed by somebody else: look again');
  await refuseMissed(tx, plans, now);
  const goes = inForce.some(({ plan }) => plan !== unapprovedPlan && !names.includes(plan));
  for (const { sql, cell } of cells?.worlds.slice(1) ?? [])
    await refuseMissed(sql, plans, now).catch(error => {
      if (!isDatabaseDown(error)) throw error;
      if (goes)
        throw new PlansRefused(`cell ${cell} is down, and its businesses may be on a plan that is to go`);
    });
  for (const plan of plans) {
    await tx`
      insert into plans ${tx({ ...plan, title: plan.title && tx.json(plan.title), strict: plan.plan === unapprovedPlan })}
      on conflict (plan) do update set title = excluded.title, monthly_limit_paise = excluded.monthly_limit_paise,
        account_limit = excluded.account_limit, history_days = excluded.history_days,
        upgrade_url = excluded.upgrade_url, price_paise = excluded.price_paise, period_days = excluded.period_days,
        strict = excluded.strict`;
  }
  await tx`delete from plans where plan not in ${tx([...names, unapprovedPlan])}`;
  await tx.notify(historyChannel, '');
}

async function refuseMissed(sql: Queryable, plans: readonly Plan[], now: Date): Promise<void> {
  const names = plans.map(({ plan }) => plan);
  const [orphan] = await sql<{ plan: string; count: number }[]>`
    select plan, count(*) as count from merchants where plan not in ${sql([...names, unapprovedPlan])} group by plan limit 1`;
  if (orphan) {
    throw new PlansRefused(
      `plan "${orphan.plan}" is not in the file, but businesses are on it (${orphan.count}): move them with set-plan first`,
    );
  }
  const [bought] = await sql<{ plan: string }[]>`
    select plan from terms where not is_over and plan not in ${sql(names)}
    union all
    -- Somebody may be paying for it: for a day, or while a person decides about the money.
    select s.plan from sales s join orders o on o.merchant_id = s.merchant_id and o.order_id = s.order_id
    where s.applied_at is null and s.plan not in ${sql(names)}
      and (o.status in ('paid', 'manual_review') or o.created_at > ${now}::timestamptz - interval '1 day') limit 1`;
  if (bought)
    throw new PlansRefused(
      `plan "${bought.plan}" is not in the file, but businesses have bought it or are about to: take its price away, and remove it when their plan periods are over`,
    );
  const limited = plans.filter(plan => limits.some(limit => plan[limit] !== null)).map(({ plan }) => plan);
  const [seller] = await sql<{ plan: string }[]>`
    select plan from merchants where sells_plans and plan = any (${limited}::text[])`;
  if (seller)
    throw new PlansRefused(`plan "${seller.plan}" is that of the seller of plans, and must have no limits`);
}

/** The default plan with a small limit, made for the first business that needs it, unless the file has one. */
export async function ensureUnapprovedPlan(tx: Transaction): Promise<void> {
  await tx`
    insert into plans (plan, strict, monthly_limit_paise, account_limit, history_days, upgrade_url)
    select ${unapprovedPlan}, true, least(monthly_limit_paise, ${unapprovedPaise}::bigint), account_limit, history_days, upgrade_url
    from plans where plan = ${defaultPlan} on conflict (plan) do nothing`;
}

export async function approveMerchant(sql: Queryable, merchantId: number): Promise<boolean> {
  const rows = await sql`
    update merchants set plan = ${defaultPlan} where merchant_id = ${merchantId} and plan = ${unapprovedPlan}
    returning merchant_id`;
  if (rows.length === 1) await sql.notify(historyChannel, '');
  return rows.length === 1;
}

export async function selectPlans(sql: Queryable): Promise<Plan[]> {
  return await sql<Plan[]>`
    select plan, title, monthly_limit_paise, account_limit, history_days, upgrade_url, price_paise, period_days
    from plans order by plan`;
}

/** Needs `plans p` in the query. */
function hasLimits(sql: Queryable) {
  return sql`(p.monthly_limit_paise is not null or p.account_limit is not null or p.history_days is not null)`;
}

/** Returns whether this plan would limit the seller of plans. Businesses at their limit must be able to buy. */
export async function wouldLimitSeller(sql: Queryable, merchantId: number, plan: string): Promise<boolean> {
  return await sql`
    select from merchants m, plans p
    where m.merchant_id = ${merchantId} and m.sells_plans and p.plan = ${plan} and ${hasLimits(sql)}`.some();
}

/** Sets who sells plans; null for nobody. Returns the reason for a refusal, or null. */
export async function nameSeller(tx: Transaction, merchantId: number | null): Promise<string | null> {
  if (merchantId !== null) {
    const [row] = await tx<{ plan: string; limited: boolean; closed: boolean; bought: boolean }[]>`
      select p.plan, ${hasLimits(tx)} as limited, ${isDisabled(tx)} as closed,
        exists (select from terms t where t.merchant_id = m.merchant_id and not t.is_over) as bought
      from merchants m join plans p on p.plan = m.plan where m.merchant_id = ${merchantId} for update of m`;
    if (!row) return `there is no business ${merchantId}`;
    if (row.closed) return `business ${merchantId} is disabled or leaving`;
    if (row.bought)
      return `business ${merchantId} has bought a plan that is not over yet: end it, or name another one`;
    if (row.limited)
      return `business ${merchantId} is on plan "${row.plan}", which has limits: put it on one without any, so that whoever is at their own limit can always buy`;
  }
  await tx`update merchants set sells_plans = false where sells_plans`;
  if (merchantId !== null)
    await tx`update merchants set sells_plans = true where merchant_id = ${merchantId}`;
  return null;
}

/** The plans that differ; null on the side that does not have the plan. */
export type PlanDifference = { plan: string; before: Plan | null; after: Plan | null };

export function differences(before: readonly Plan[], after: readonly Plan[]): PlanDifference[] {
  const names = [...new Set([...before, ...after].map(({ plan }) => plan))].sort();
  const named = (plans: readonly Plan[], name: string) => plans.find(({ plan }) => plan === name) ?? null;
  return (
    names
      .map(plan => ({ plan, before: named(before, plan), after: named(after, plan) }))
      // This plan stays even if the file does not name it.
      .filter(({ plan, after }) => plan !== unapprovedPlan || after !== null)
      .filter(one => !one.before || !one.after || planFields.some(key => differs(one.before, one.after, key)))
  );
}

export function differs(one: Plan | null, other: Plan | null, key: (typeof planFields)[number]): boolean {
  return JSON.stringify(one?.[key]) !== JSON.stringify(other?.[key]);
}
