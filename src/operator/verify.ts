import { alertRules } from '../alerts/alert-rules.ts';
import type { Bank } from '../alerts/banks/bank.ts';
import { extendBanks } from '../alerts/banks/load-banks.ts';
import { selectEntries } from '../alerts/book/queries.ts';
import type { Sql, Transaction } from '../base/database/connect.ts';
import { type RuleCheck, ruleCheck } from '../base/database/rule-check.ts';
import { StartError } from '../base/start-error.ts';
import type { World } from '../base/world.ts';
import { accountRules } from '../business/accounts/account-rules.ts';
import { orderRules } from '../orders/order-rules.ts';
import { saleRules } from '../orders/sales/sale-rules.ts';
import { webhookRules } from '../outbox/webhooks/webhook-rules.ts';
import { matchingRules } from '../payments/matching/matching-rules.ts';
import { reviewRules } from '../payments/review/review-rules.ts';
import { statementRules } from '../payments/statements/statement-rules.ts';
import { countHeld, noteRoutine } from './queries.ts';

/** R1 for erased rows: the request's author and time are known, and nothing about the person is left. */
const erasureRules = [
  ruleCheck(
    'R1',
    'What was erased names the request, by whom and when, and holds nothing of the person.',
    sql => sql`
      select 'alert ' || a.alert_id || ' was erased ' || case when e.erasure_id is null then 'by nobody'
          when a.payer is not null or a.bank_reference is not null then 'and still says who paid'
          when r.bank_reference is not null then 'and its reference is still counted in the clear'
          else 'and its bytes are still here' end as line
      from alerts a left join erasures e on e.merchant_id = a.merchant_id and e.erasure_id = a.erasure_id
        left join counted_references r on r.merchant_id = a.merchant_id and r.alert_id = a.alert_id
          and r.bank_reference not like 'erased %'
      where a.erasure_id is not null and (e.erasure_id is null or a.payer is not null or a.bank_reference is not null
        or r.bank_reference is not null or exists (select from raw_mails m
          where m.merchant_id = a.merchant_id and m.alert_id = a.alert_id and m.arrived_at = a.arrived_at))
      union all
      select 'order ' || o.order_id || ' was erased '
        || case when e.erasure_id is null then 'by nobody' else 'and still says who paid' end
      from orders o left join erasures e on e.merchant_id = o.merchant_id and e.erasure_id = o.erasure_id
      where o.erasure_id is not null and (e.erasure_id is null or o.customer is not null or o.bank_reference is not null)
      union all
      select 'event ' || v.event_id || ' was erased '
        || case when e.erasure_id is null then 'by nobody' else 'and its body is still here' end
      from events v left join erasures e on e.merchant_id = v.merchant_id and e.erasure_id = v.erasure_id
      where v.erasure_id is not null and (e.erasure_id is null or exists (select from event_bodies b
        where b.merchant_id = v.merchant_id and b.event_id = v.event_id and b.created_at = v.created_at))`,
  ),
];

/** Rules that one statement each can check. Only the command judges mails again, because that takes long. */
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
/** Breaches shown per rule; the others are only counted. */
const mostShown = 100;

type Found = { count: number; first: string[] };

export async function findBreaches(world: Pick<World, 'sql'>): Promise<string[]> {
  const found = await findAll(world.sql, rules);
  return rules.flatMap(({ rule }, number) => linesOf(found[number]!).map(line => `${rule}: ${line}`));
}

/** The first breach among the rows that this transaction sees, so temporary tables may hide the real ones. */
export async function findFirstBreach(tx: Transaction): Promise<string | undefined> {
  for (const { rule, breaches } of rules)
    for (const breach of await breaches(tx)) return `${rule}: ${breach}`;
  return undefined;
}

async function findAll(sql: Sql, checks: readonly RuleCheck[]): Promise<Found[]> {
  const found: Found[] = checks.map(() => ({ count: 0, first: [] }));
  await inMerchantBatches(sql, async tx => {
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

export async function verifyDatabase(world: World): Promise<number> {
  const { sql } = world;
  // All rules hold in an empty database, so an operator who named the wrong one would see a success.
  const { businesses, orders, paid, alerts, events } = await sql.begin(countHeld, { patient: true });
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

/** Checks the installation's database or a copy of it, and returns the number of breaches. */
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

/** The current banks, and one list more for each entry that was saved and later removed. */
export async function banksOfAllTimes(world: World): Promise<(readonly Bank[])[]> {
  await world.banks.reload(world);
  const today = world.banks.current();
  const removed = (await selectEntries(world.sql, { withRemoved: true })).filter(one => one.removed_at);
  return [today, ...removed.map(one => extendBanks(today, [one]).banks)];
}

/** Businesses per batch. A batch's cost is bounded by its largest business, not by their number. */
const merchantsAtOnce = 500;

/**
 * Runs queries about the whole database on a batch of businesses at a time. Temporary views with the tables' names show
 * only these businesses' rows. Each batch has one snapshot and no time limit. Businesses that are being removed are
 * left out.
 */
async function inMerchantBatches(sql: Sql, work: (tx: Transaction) => Promise<void>): Promise<void> {
  let after: number | null = null;
  do {
    const last: number | null = await lastOfPart(sql, after ?? 0);
    const part = `${after === null ? '' : `merchant_id > ${after} and `}${last === null ? '' : `merchant_id <= ${last} and `}
      merchant_id not in (select m.merchant_id from %s.merchants m where m.removal_began_at is not null)`;
    await sql.begin(
      async tx => {
        await tx`set transaction isolation level repeatable read`;
        const views = await hideBehindViews(tx, part);
        await work(tx);
        await tx.unsafe(`drop view ${views.join(', ')}`);
      },
      { patient: true },
    );
    after = last;
  } while (after !== null);
}

/** Null if this batch is the last one. */
async function lastOfPart(sql: Sql, after: number): Promise<number | null> {
  const rows = await sql<{ merchant_id: number }[]>`
    select merchant_id from merchants where merchant_id > ${after} order by merchant_id limit ${merchantsAtOnce}`;
  return rows.length < merchantsAtOnce ? null : rows.at(-1)!.merchant_id;
}

async function hideBehindViews(tx: Transaction, part: string): Promise<string[]> {
  const tables = await tx<{ name: string; schema: string }[]>`
    select quote_ident(c.relname) as name, quote_ident(n.nspname) as schema
    from pg_class c join pg_namespace n on n.oid = c.relnamespace
      join pg_attribute a on a.attrelid = c.oid and a.attname = 'merchant_id'
    where n.nspname = current_schema() and c.relkind in ('r', 'p') and not c.relispartition`;
  for (const { name, schema } of tables) {
    await tx.unsafe(
      `create temporary view ${name} as select * from ${schema}.${name} where ${part.replaceAll('%s', schema)}`,
    );
  }
  return tables.map(({ name }) => name);
}
