import { readFileSync } from 'node:fs';
import type { Queryable, Sql, Transaction } from '../../base/database/connect.ts';
import { StartError } from '../../base/start-error.ts';
import { historyChannel } from './queries.ts';

/** What a business may collect, how many accounts it may use and how long its orders stay. Null: no limit. */
export type Plan = {
  plan: string;
  monthly_limit_paise: number | null;
  account_limit: number | null;
  history_days: number | null;
  upgrade_url: string | null;
};

export const defaultPlan = 'standard';
/** Of businesses that opened by themselves and wait for an operator's word (SIGNUPS=approve). */
export const unapprovedPlan = 'unapproved';
/** What such a business takes a month, unless the operator's plans say otherwise. */
const unapprovedPaise = 5_000 * 100;
const mostPlans = 100;
export const leastHistoryDays = 7;
export const planFields = ['monthly_limit_paise', 'account_limit', 'history_days', 'upgrade_url'] as const;

/** The operator's plans as a file tells them, or the one plan without limits when there is no file. */
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
  monthly_limit_paise: null,
  account_limit: null,
  history_days: null,
  upgrade_url: null,
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
  const whole = (key: string, least: number) => {
    const number = value[key] ?? null;
    if (number === null || (Number.isSafeInteger(number) && Number(number) >= least))
      return number as number | null;
    throw wrong(`plan "${name}": ${key} must be a whole number of at least ${least}, or left out`);
  };
  const url = value['upgrade_url'] ?? null;
  if (url !== null && (typeof url !== 'string' || !/^https?:\/\//.test(url) || !URL.canParse(url))) {
    throw wrong(`plan "${name}": upgrade_url must be an http or https address`);
  }
  return {
    plan: name,
    monthly_limit_paise: whole('monthly_limit_paise', 1),
    account_limit: whole('account_limit', 1),
    history_days: whole('history_days', leastHistoryDays),
    upgrade_url: url,
  };
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** What is wrong with plans that cannot take the place of those in force. */
export class PlansRefused extends StartError {}

/**
 * Puts the plans into the database, where every query finds them beside the business; what is not among them goes.
 * Nobody else writes plans. `expected` are those that somebody saw when they agreed to the change.
 */
export async function storePlans(
  sql: Sql,
  plans: readonly Plan[],
  expected?: readonly Plan[],
): Promise<void> {
  await sql.begin(tx => writePlans(tx, plans, expected));
}

export async function writePlans(
  tx: Transaction,
  plans: readonly Plan[],
  expected?: readonly Plan[],
): Promise<void> {
  const names = plans.map(({ plan }) => plan);
  await tx`lock table plans in share row exclusive mode`;
  if (expected && differences(await selectPlans(tx), expected).length > 0)
    throw new PlansRefused('the plans were changed by somebody else meanwhile: look again');
  const [orphan] = await tx<{ plan: string; count: number }[]>`
    select plan, count(*) as count from merchants where plan not in ${tx([...names, unapprovedPlan])} group by plan limit 1`;
  if (orphan) {
    throw new PlansRefused(
      `plan "${orphan.plan}" is not in the file, but businesses are on it (${orphan.count}): move them with set-plan first`,
    );
  }
  for (const plan of plans) {
    await tx`
      insert into plans ${tx(plan)}
      on conflict (plan) do update set monthly_limit_paise = excluded.monthly_limit_paise,
        account_limit = excluded.account_limit, history_days = excluded.history_days,
        upgrade_url = excluded.upgrade_url`;
  }
  await tx`delete from plans where plan not in ${tx([...names, unapprovedPlan])}`;
  await tx.notify(historyChannel, '');
}

/** Made with the first business that needs it: the default plan, with little to take. Who named it in a file is kept to. */
export async function ensureUnapprovedPlan(tx: Transaction): Promise<void> {
  await tx`
    insert into plans (plan, monthly_limit_paise, account_limit, history_days, upgrade_url)
    select ${unapprovedPlan}, least(monthly_limit_paise, ${unapprovedPaise}::bigint), account_limit, history_days, upgrade_url
    from plans where plan = ${defaultPlan} on conflict (plan) do nothing`;
}

/** False when it did not wait for anybody's word. */
export async function approveBusiness(sql: Queryable, merchantId: number): Promise<boolean> {
  const rows = await sql`
    update merchants set plan = ${defaultPlan} where merchant_id = ${merchantId} and plan = ${unapprovedPlan}
    returning pg_notify(${historyChannel}, '')`;
  return rows.length === 1;
}

export async function selectPlans(sql: Queryable): Promise<Plan[]> {
  return await sql<Plan[]>`
    select plan, monthly_limit_paise, account_limit, history_days, upgrade_url from plans order by plan`;
}

/** The plans that are not alike in both; null where a plan is in one alone. */
export type PlanDifference = { plan: string; before: Plan | null; after: Plan | null };

export function differences(before: readonly Plan[], after: readonly Plan[]): PlanDifference[] {
  const names = [...new Set([...before, ...after].map(({ plan }) => plan))].sort();
  const named = (plans: readonly Plan[], name: string) => plans.find(({ plan }) => plan === name) ?? null;
  return (
    names
      .map(plan => ({ plan, before: named(before, plan), after: named(after, plan) }))
      // It stays where a file does not name it.
      .filter(({ plan, after }) => plan !== unapprovedPlan || after !== null)
      .filter(
        one => !one.before || !one.after || planFields.some(key => one.before?.[key] !== one.after?.[key]),
      )
  );
}
