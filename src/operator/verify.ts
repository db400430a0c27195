import type { Bank } from '../alerts/banks/bank.ts';
import { extendBanks } from '../alerts/banks/load-banks.ts';
import { alertRules } from '../alerts/judging/alert-rules.ts';
import { selectEntries } from '../alerts/judging/queries/bank-entries.ts';
import type { Sql, Transaction } from '../base/database/connect.ts';
import type { RuleCheck } from '../base/database/rule-check.ts';
import { StartError } from '../base/start-error.ts';
import type { World } from '../base/world.ts';
import { accountRules } from '../business/accounts/account-rules.ts';
import { orderRules } from '../orders/order-rules.ts';
import { saleRules } from '../orders/sales/sale-rules.ts';
import { webhookRules } from '../outbox/webhooks/webhook-rules.ts';
import { matchingRules } from '../payments/matching/matching-rules.ts';
import { reviewRules } from '../payments/review/review-rules.ts';
import { statementRules } from '../payments/statements/statement-rules.ts';
import { inParts } from './in-parts.ts';
import { erasureRules } from './privacy/erasure-rules.ts';
import { countHeld, noteRoutine } from './queries.ts';

/** What one statement each can tell. The mails themselves are judged again by the command alone: that takes its time. */
const rules: RuleCheck[] = [
  ...orderRules,
  ...matchingRules,
  ...reviewRules,
  ...statementRules,
  ...webhookRules,
  ...accountRules,
  ...saleRules,
  ...erasureRules,
];
/** Of each rule; further breaches are only counted. */
const mostShown = 100;

type Found = { count: number; first: string[] };

/** The breaches of the rules that must never break, as lines; none when all is well. */
export async function findBreaches(world: Pick<World, 'sql'>): Promise<string[]> {
  const found = await findAll(world.sql, rules);
  return rules.flatMap(({ rule }, number) => linesOf(found[number]!).map(line => `${rule}: ${line}`));
}

/** The first breach by the rows that one transaction sees under the names of the tables. */
export async function findFirstBreach(tx: Transaction): Promise<string | undefined> {
  for (const { rule, breaches } of rules)
    for (const breach of await breaches(tx)) return `${rule}: ${breach}`;
  return undefined;
}

/** The breaches of each rule, business after business. */
async function findAll(sql: Sql, checks: readonly RuleCheck[]): Promise<Found[]> {
  const found: Found[] = checks.map(() => ({ count: 0, first: [] }));
  await inParts(sql, async tx => {
    for (const [number, { breaches }] of checks.entries()) {
      const more = await breaches(tx);
      const { count, first } = found[number]!;
      found[number] = { count: count + more.length, first: [...first, ...more].slice(0, mostShown) };
    }
  });
  return found;
}

function linesOf({ count, first }: Found): string[] {
  return count > first.length ? [...first, `and ${count - first.length} more`] : first;
}

/** Says what it finds; 1 on a breach. */
export async function verifyDatabase(world: World): Promise<number> {
  const { sql } = world;
  // A rule holds over an empty database too, and whoever meant another one would be told that all is well.
  const { businesses, orders, paid, alerts, events } = await sql.begin(
    async tx => {
      await tx`set local statement_timeout = 0`;
      return await countHeld(tx);
    },
    { patient: true },
  );
  if (businesses === 0) throw new StartError('there is nothing to verify: this database holds no business');
  console.log(
    `looked at ${businesses} ${businesses === 1 ? 'business' : 'businesses'}, ${orders} orders (${paid} paid), ${alerts} alerts, ${events} events`,
  );
  const broken = await verifyRules(world, sql);
  const result = broken === 0 ? 'all rules hold' : `${broken} breaches`;
  await noteRoutine(sql, {
    routine: 'verify',
    now: world.clock.now(),
    succeeded: broken === 0,
    details: result,
  });
  console.log(result);
  return broken === 0 ? 0 : 1;
}

/** Checks a database, the installation's own or a copy of it; how many breaches there are. */
export async function verifyRules(
  world: World,
  sql: Sql,
  say: (line: string) => void = console.log,
): Promise<number> {
  const checks = [...rules, ...alertRules(...(await banksOfAllTimes(world)))];
  const all = await findAll(sql, checks);
  let broken = 0;
  for (const [number, { sentence }] of checks.entries()) {
    const found = all[number]!;
    broken += found.count;
    say(`${found.count === 0 ? 'holds ' : 'BROKEN'}  ${sentence}`);
    for (const line of linesOf(found)) say(`          ${line}`);
  }
  return broken;
}

/** The banks of today, and again with each entry that was saved and removed since. */
export async function banksOfAllTimes(world: World): Promise<(readonly Bank[])[]> {
  await world.banks.look(world);
  const today = world.banks.current();
  const removed = (await selectEntries(world.sql, { withRemoved: true })).filter(one => one.removed_at);
  return [today, ...removed.map(one => extendBanks(today, [one]).banks)];
}
