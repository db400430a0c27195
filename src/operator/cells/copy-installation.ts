import { lockEntries, releaseHeld } from '../../alerts/book/queries.ts';
import type { Queryable, Sql, Transaction } from '../../base/database/connect.ts';
import type { World } from '../../base/world.ts';
import { unapprovedPlan } from '../../business/merchants/plans.ts';
import { historyChannel } from '../../business/merchants/queries.ts';
import { insertErasureKey } from '../../privacy/queries/erasures.ts';
import { selectColumns, selectErasureKey } from '../moving/queries.ts';

/** The installation's tables that every cell needs, each with its key column. */
const shared = { plans: 'plan', bank_entries: 'entry_id' } as const;

/** Copies to a cell each row that is missing or different from cell 0. It can run any number of times. */
export async function copyInstallation(home: Sql, cell: Sql, now: Date): Promise<void> {
  const changed = new Map<keyof typeof shared, string>();
  for (const table of Object.keys(shared) as (keyof typeof shared)[]) {
    const json = await selectAll(home, table);
    if (json !== (await selectAll(cell, table))) changed.set(table, json);
  }
  // Never replace the key: hashes that were made with it would count twice.
  const key = await selectErasureKey(home);
  const lacksKey = key !== undefined && (await selectErasureKey(cell)) === undefined;
  if (changed.size === 0 && !lacksKey) return;
  await cell.begin(async tx => {
    if (lacksKey) await insertErasureKey(tx, key);
    for (const [table, json] of changed) await bring(tx, table, json, now);
  });
}

/** Sorted, so that the same rows give the same text. */
async function selectAll(sql: Queryable, table: keyof typeof shared): Promise<string> {
  const [row] = await sql.unsafe(
    `select coalesce(jsonb_agg(to_jsonb(t) order by ${shared[table]}), '[]')::text as json from ${table} t`,
  );
  return row!['json'];
}

async function bring(tx: Transaction, table: keyof typeof shared, json: string, now: Date): Promise<void> {
  const key = shared[table];
  const rows = JSON.parse(json) as Record<string, unknown>[];
  // Copy only columns that exist here: cell 0 may be one migration ahead.
  const here = (await selectColumns(tx, [table])).get(table)!;
  const columns = Object.keys(rows[0] ?? {}).filter(name => here.has(name));
  if (columns.length === 0) return;
  if (table === 'bank_entries') await lockEntries(tx);
  const list = columns.map(name => `"${name}"`).join(', ');
  const sets = columns.filter(name => name !== key).map(name => `"${name}" = excluded."${name}"`);
  const written = await tx.unsafe(
    `insert into ${table} as t (${list}) overriding system value
     select ${list} from jsonb_populate_recordset(null::${table}, $1::jsonb)
     on conflict (${key}) do update set ${sets.join(', ')}
       where to_jsonb(t) <> to_jsonb(excluded) returning *`,
    [json],
  );
  if (table === 'plans') {
    // Delete plans that cell 0 no longer has and no business here uses.
    const gone = await tx.unsafe(
      `delete from plans p where plan not in (select r ->> 'plan' from jsonb_array_elements($1::jsonb) r)
         and plan <> $2 and not exists (select from merchants m where m.plan = p.plan)
         and not exists (select from terms t where t.plan = p.plan) returning 1`,
      [json, unapprovedPlan],
    );
    if (written.length + gone.length > 0) await tx.notify(historyChannel, '');
    return;
  }
  // Mails that no wording fitted are judged again with the new entry.
  for (const { bank } of written) await releaseHeld(tx, bank, now);
  if (written.length > 0) await tx.notify('alerts', '');
}

/** Copies from cell 0 to the others. A cell that was down gets the copy within a minute after its return. */
export async function copyToOthers({ cells }: Pick<World, 'cells'>): Promise<void> {
  const [home, ...others] = cells?.worlds ?? [];
  for (const { sql, clock, log } of others)
    await copyInstallation(home!.sql, sql, clock.now()).catch(error =>
      log.warn({ err: error }, 'the shared data could not be copied to a cell'),
    );
}
