import { later } from '../../src/base/clock.ts';
import type { Queryable, Sql, Transaction } from '../../src/base/database/connect.ts';
import { type Template, writeQuery } from '../../src/base/database/write-query.ts';
import type { World } from '../../src/base/world.ts';
import { archiveOrders, removeOrders } from '../../src/orders/history/archive-orders.ts';
import {
  forgetEvents,
  forgetMails,
  forgetNotices,
  selectOldest,
} from '../../src/orders/history/queries/leaving.ts';
import { selectLongestKept } from '../../src/orders/history/queries/windows.ts';

const day = 86_400_000;

/** A statement that finds nothing to do may read or skip at most this many rows at any step. */
const mostRowsPassed = 1000;

/**
 * Prints the plan of every housekeeping statement for a business with nothing due. A plan that reads through a large
 * table fails the benchmark.
 */
export async function explainHistory(
  { sql, clock, log }: Pick<World, 'sql' | 'clock' | 'log'>,
  merchantId: number,
): Promise<void> {
  const leavesBefore = later(clock.now(), -4000 * day);
  const merchant = { merchantId, hidesBefore: leavesBefore, leavesBefore, leavesAlone: true };
  const steps = { archiveOrders, removeOrders, forgetEvents, forgetMails, forgetNotices };
  const asked = { now: clock.now(), after: 0, limit: 500, longest: 4000 };
  await show(sql, 'look at all businesses', async tx => {
    await selectLongestKept(tx);
    await selectOldest(tx, asked);
  });
  for (const [name, step] of Object.entries(steps))
    await show(sql, name, async tx => void (await step(tx, merchant, 1000, { clock, log })));
}

async function show(sql: Sql, name: string, work: (tx: Transaction) => Promise<void>): Promise<void> {
  const seen: Template[] = [];
  await sql.begin(async tx => {
    await work(recording(tx, seen) as Transaction);
    for (const template of seen) {
      const { text, values } = writeQuery(template);
      const rows = await tx.unsafe(`explain (analyze, buffers, costs off, timing off) ${text}`, values);
      const plan = rows.map(row => row['QUERY PLAN']).join('\n');
      console.log(`\n-- ${name}\n${plan}`);
      for (const [, passed] of plan.matchAll(/(?:Rows Removed by Filter: |actual rows=)(\d+)/g))
        if (Number(passed) > mostRowsPassed) throw new Error(`${name} passes ${passed} rows`);
    }
  });
}

/** The same connection, which also records every statement. Fragments are left out. */
function recording(tx: Transaction, seen: Template[]): Queryable {
  const ask = ((first: TemplateStringsArray | object, ...values: unknown[]) => {
    const query = tx(first as TemplateStringsArray, ...values);
    const isStatement =
      'raw' in first && /^\s*(select|with|delete|update|insert)\b/.test(String(first[0 as never]));
    if (isStatement) seen.push((query as unknown as { template: Template }).template);
    return query;
  }) as Queryable;
  return Object.assign(ask, { json: tx.json, unsafe: tx.unsafe, notify: tx.notify });
}
