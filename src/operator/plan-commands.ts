import { createInterface } from 'node:readline/promises';
import { later } from '../base/clock.ts';
import type { Sql } from '../base/database/connect.ts';
import { StartError } from '../base/start-error.ts';
import { installation, recordDeed } from '../business/accounts/record-deed.ts';
import {
  differences,
  type Plan,
  type PlanDifference,
  readPlans,
  selectPlans,
  writePlans,
} from '../business/merchants/plans.ts';
import { hiddenFor } from '../orders/history/step.ts';
import type { Command } from './command.ts';
import { countBusinesses, countLeaving } from './queries.ts';

export const planCommands: Record<string, Command> = {
  plans: {
    needs: 'database',
    summary: 'list the plans that are in force, and how many businesses are on each',
    options: {},
    async run({ sql }) {
      for (const plan of await selectPlans(sql)) {
        const fields = fieldsOf(plan, null).map(({ name, after }) => `${name} ${after}`);
        console.log([plan.plan, await countBusinesses(sql, plan.plan), ...fields].join('\t'));
      }
      return 0;
    },
  },
  'plans apply': {
    needs: 'database',
    summary: 'put the plans of a file in force, after telling what that does to businesses and their orders',
    file: 'the plans as JSON, such as PLANS_FILE',
    options: { yes: { meaning: 'do not ask', flag: true } },
    async run(world, options) {
      const { sql, clock } = world;
      const wanted = readPlans(options['file'] ?? '', 'the file');
      const inForce = await selectPlans(sql);
      const differing = differences(inForce, wanted);
      if (differing.length === 0) {
        console.log('these plans are in force already');
        return 0;
      }
      for (const one of differing)
        for (const line of await describe(sql, one, clock.now())) console.log(line);
      if (options['yes'] === undefined && !(await agrees())) {
        console.error('nothing was changed');
        return 1;
      }
      await sql.begin(async tx => {
        await writePlans(tx, wanted, inForce);
        const doer = { merchantId: installation, actor: 'operator', address: '', now: clock.now() };
        const subject = differing.map(({ plan }) => plan).join(', ');
        await recordDeed(tx, doer, { action: 'plans.apply', subject });
      });
      console.log('these plans are in force now');
      return 0;
    },
  },
};

async function agrees(): Promise<boolean> {
  if (!process.stdin.isTTY) throw new StartError('there is no terminal to ask at: --yes agrees');
  const terminal = createInterface({ input: process.stdin, output: process.stderr });
  const answer = await terminal.question('Put these plans in force? Type yes: ');
  terminal.close();
  return answer.trim().toLowerCase() === 'yes';
}

/** In people and orders: what a number in a file does is not seen in the file. */
async function describe(sql: Sql, { plan, before, after }: PlanDifference, now: Date): Promise<string[]> {
  const businesses = await countBusinesses(sql, plan);
  if (after === null) return [`${plan}: removed, ${many(businesses, 'business')} on it`];
  const changed = fieldsOf(after, before).filter(one => one.before !== one.after);
  if (before === null)
    return [
      `${plan}: new, ${changed.map(({ name, after: value }) => `${name} ${value}`).join(', ') || 'no limits'}`,
    ];
  const days = after.history_days;
  const shrinks = days !== null && days < (before.history_days ?? Number.POSITIVE_INFINITY);
  const leaving = shrinks
    ? await countLeaving(sql, { plan, from: before.history_days, to: days, now })
    : null;
  const deletedFrom = later(now, hiddenFor).toISOString().slice(0, 10);
  return changed.map(one =>
    one.name === 'history' && leaving
      ? `${plan}: history ${before.history_days ?? 'no end'} → ${days} days: ${many(leaving.orders, 'order')} of ${many(leaving.businesses, 'business')} would leave (hidden at once, deleted from ${deletedFrom} on)`
      : `${plan}: ${one.name} ${one.before} → ${one.after} (${many(businesses, 'business')})`,
  );
}

function fieldsOf(after: Plan, before: Plan | null) {
  const rupees = (paise: number | null) =>
    paise === null ? 'no limit' : `₹${(paise / 100).toLocaleString('en-IN')}`;
  const days = (count: number | null) => (count === null ? 'no end' : `${count} days`);
  const number = (count: number | null) => (count === null ? 'no limit' : String(count));
  const field = (name: string, say: (plan: Plan) => string) => ({
    name,
    before: before && say(before),
    after: say(after),
  });
  return [
    field('collections a month', plan => rupees(plan.monthly_limit_paise)),
    field('accounts', plan => number(plan.account_limit)),
    field('history', plan => days(plan.history_days)),
    field('upgrade_url', plan => plan.upgrade_url ?? 'none'),
  ];
}

function many(count: number, what: 'business' | 'order'): string {
  const plural = what === 'business' ? 'businesses' : 'orders';
  return `${count.toLocaleString('en-US')} ${count === 1 ? what : plural}`;
}
