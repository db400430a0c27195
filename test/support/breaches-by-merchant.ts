import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Sql } from '../../src/base/database/connect.ts';
import { breachesAfter } from './breaches-after.ts';
import type { Merchant } from './model/real.ts';

/** A change in SQL, the rule that it breaks, and further rules that it breaks unavoidably. */
export type BreakingChange = [rule: string, change: string, sql: string, ...further: string[]];

/** Digits of two accounts for each change's business, and for one without a change: no two accounts are alike. */
export const accountsFor = (changes: readonly BreakingChange[]): string[][] =>
  [...changes, null].map((_, place) => [`${1_000 + place}`, `${2_000 + place}`]);

/**
 * Makes each change in a business of its own, and runs verify once over all of them. One test per change: its business
 * breaks these rules and no others. Each line must be about one business.
 */
export function testBreaches(
  changes: readonly BreakingChange[],
  stage: { sql: Sql; merchants: readonly Merchant[] },
): void {
  let found: Promise<Map<number, string[]>> | undefined;
  const linesOf = async (place: number) => {
    found ??= breachesByMerchant(stage.sql, stage.merchants, changes);
    return (await found).get(stage.merchants[place]!.merchantId)!;
  };
  for (const [place, [rule, change, , ...further]] of changes.entries())
    test(`${rule}: ${change}`, async () => {
      const lines = await linesOf(place);
      const broken = [...new Set(lines.map(line => line.split(':')[0]))].sort();
      assert.deepEqual(broken, [rule, ...further].sort(), lines.join('; '));
    });
  test('no breach is found in a business that nobody has changed', async () => {
    assert.deepEqual(await linesOf(changes.length), []);
  });
}

async function breachesByMerchant(
  sql: Sql,
  merchants: readonly Merchant[],
  changes: readonly BreakingChange[],
): Promise<Map<number, string[]>> {
  const names = await namesByMerchant(sql);
  for (const [place, [, , statements]] of changes.entries())
    for (const [written] of statements.matchAll(/\bML-\d+|\bevt_\w+/g))
      names.set(written, merchants[place]!.merchantId);
  const tables = await sql<{ name: string }[]>`
    select c.relname as name from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attname = 'merchant_id'
    where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition`;
  // A change sees only its business's rows: each table is hidden behind a view of the same name.
  const views = tables.map(
    ({ name }) => `create temporary view ${name} as select * from public.${name}
      where merchant_id = current_setting('test.business')::bigint;`,
  );
  const done = changes.map(
    ([, , statements], place) =>
      `select set_config('test.business', '${merchants[place]!.merchantId}', true); ${statements};`,
  );
  const lines = await breachesAfter(
    sql,
    `${views.join('')} ${done.join('')} drop view ${tables.map(({ name }) => name).join(', ')}`,
  );
  const found = new Map(merchants.map(({ merchantId }) => [merchantId, [] as string[]]));
  for (const line of lines) {
    const words = line.split(/[^\w-]+/);
    const of = new Set(words.flatMap(word => names.get(word) ?? []));
    assert.equal(of.size, 1, `of one business: ${line}`);
    found.get([...of][0]!)?.push(line);
  }
  return found;
}

/** The business that each id in a line belongs to. */
async function namesByMerchant(sql: Sql): Promise<Map<string, number>> {
  const rows = await sql<{ name: string; merchant_id: number }[]>`
    select merchant_id::text as name, merchant_id from merchants
    union all select order_id, merchant_id from orders
    union all select alert_id, merchant_id from alerts
    union all select event_id, merchant_id from events`;
  return new Map(rows.map(({ name, merchant_id }) => [name, merchant_id]));
}
