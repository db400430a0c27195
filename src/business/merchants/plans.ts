import { readFileSync } from 'node:fs';
import type { Sql } from '../../base/database/connect.ts';
import { StartError } from '../../base/start-error.ts';

/** What a business may collect, how many accounts it may use and how long its orders stay. Null: no limit. */
export type Plan = {
  plan: string;
  monthly_limit_paise: number | null;
  account_limit: number | null;
  history_days: number | null;
  upgrade_url: string | null;
};

export const defaultPlan = 'standard';
const mostPlans = 100;
export const leastHistoryDays = 7;

/** The operator's plans, or the one plan without limits when there is no file. */
export function readPlans(path: string | null): Plan[] {
  const unlimited = {
    plan: defaultPlan,
    monthly_limit_paise: null,
    account_limit: null,
    history_days: null,
    upgrade_url: null,
  };
  if (path === null) return [unlimited];
  const wrong = (what: string) => new StartError(`PLANS_FILE ${path}: ${what}`);
  let parsed: unknown;
  try {
    parsed = JSON.parse(readFileSync(path, 'utf8'));
  } catch (error) {
    throw wrong(`is not JSON (${(error as Error).message})`);
  }
  if (!isObject(parsed)) throw wrong('must be an object of plans by name');
  const plans = Object.entries(parsed).map(([name, value]) => readPlan(name, value, wrong));
  if (plans.length > mostPlans) throw wrong(`names more than ${mostPlans} plans`);
  return plans.some(({ plan }) => plan === defaultPlan) ? plans : [unlimited, ...plans];
}

function readPlan(name: string, value: unknown, wrong: (what: string) => StartError): Plan {
  if (!/^[a-z0-9_-]{1,40}$/.test(name)) throw wrong(`"${name}" is not a plan name (a-z, 0-9, - and _)`);
  if (!isObject(value)) throw wrong(`plan "${name}" must be an object`);
  const known = ['monthly_limit_paise', 'account_limit', 'history_days', 'upgrade_url'];
  const unknown = Object.keys(value).find(key => !known.includes(key));
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

/** Puts the plans into the database, where every query finds them beside the business. */
export async function storePlans(sql: Sql, plans: readonly Plan[]): Promise<void> {
  const names = plans.map(({ plan }) => plan);
  await sql.begin(async tx => {
    const [orphan] = await tx<{ plan: string; count: number }[]>`
      select plan, count(*) as count from merchants where plan not in ${tx(names)} group by plan limit 1`;
    if (orphan) {
      throw new StartError(
        `plan "${orphan.plan}" is not in PLANS_FILE, but businesses are on it (${orphan.count})`,
      );
    }
    for (const plan of plans) {
      await tx`
        insert into plans ${tx(plan)}
        on conflict (plan) do update set monthly_limit_paise = excluded.monthly_limit_paise,
          account_limit = excluded.account_limit, history_days = excluded.history_days,
          upgrade_url = excluded.upgrade_url`;
    }
    await tx`delete from plans where plan not in ${tx(names)}`;
  });
}
