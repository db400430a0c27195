import type { Sql, Transaction } from '../base/database/connect.ts';

/** Businesses that are looked at together. The cost of a look is bounded by the largest of them, not by their number. */
const businessesAtOnce = 500;

/**
 * Runs questions about the whole database over some businesses at a time: in each part every table that names a
 * business is hidden behind a temporary view of the same name that shows only theirs. One view of the data for all
 * questions of a part, without a limit on time. A business whose rows are being removed is left out.
 */
export async function inParts(sql: Sql, work: (tx: Transaction) => Promise<void>): Promise<void> {
  let after: number | null = null;
  do {
    const last: number | null = await lastOfPart(sql, after ?? 0);
    const part = `${after === null ? '' : `merchant_id > ${after} and `}${last === null ? '' : `merchant_id <= ${last} and `}
      merchant_id not in (select m.merchant_id from %s.merchants m where m.removal_began_at is not null)`;
    await sql.begin(
      async tx => {
        await tx`set transaction isolation level repeatable read`;
        await tx`set local statement_timeout = 0`;
        const views = await hideBehindViews(tx, part);
        await work(tx);
        await tx.unsafe(`drop view ${views.join(', ')}`);
      },
      { patient: true },
    );
    after = last;
  } while (after !== null);
}

/** Null: there are not more businesses than one part holds. */
async function lastOfPart(sql: Sql, after: number): Promise<number | null> {
  const rows = await sql<{ merchant_id: number }[]>`
    select merchant_id from merchants where merchant_id > ${after} order by merchant_id limit ${businessesAtOnce}`;
  return rows.length < businessesAtOnce ? null : rows.at(-1)!.merchant_id;
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
