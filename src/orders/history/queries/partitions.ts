import type { Queryable, Transaction } from '../../../base/database/connect.ts';
import { writeQuery } from '../../../base/database/write-query.ts';
import { isNeeded } from './leaving.ts';

export const dividedTables = {
  event_bodies: 'created_at',
  delivery_log: 'started_at',
  raw_mails: 'arrived_at',
};
export type DividedTable = keyof typeof dividedTables;

/** The weeks of a table by their first day, as yyyymmdd. */
export async function selectWeeks(sql: Queryable, table: DividedTable): Promise<string[]> {
  return await sql<{ week: string }[]>`
    select right(c.relname, 8) as week from pg_inherits i join pg_class c on c.oid = i.inhrelid
    where i.inhparent = ${table}::regclass and c.relname ~ '_[0-9]{8}$' order by 1`.column();
}

/** Whether a clock that ran ahead put rows of this week into the default partition. Such rows stay there. */
export async function hasDefaultRows(
  sql: Queryable,
  table: DividedTable,
  { from, to }: { from: Date; to: Date },
): Promise<boolean> {
  const [row] = await sql.unsafe(
    `select exists (select from ${table}_default where ${dividedTables[table]} >= $1 and ${dividedTables[table]} < $2) as found`,
    [from, to],
  );
  return row?.['found'] === true;
}

export async function addWeek(
  tx: Transaction,
  table: DividedTable,
  { week, from, to }: { week: string; from: Date; to: Date },
): Promise<void> {
  await tx.unsafe(
    `create table if not exists ${table}_${week} partition of ${table} for values from ('${from.toISOString()}') to ('${to.toISOString()}')`,
  );
  await tx`select expect_large_businesses(${`${table}_${week}`}::regclass)`;
}

/**
 * Drops a week. It is detached first, so a writer waits and then writes to the default partition. Rows that are still
 * needed are moved there before the drop: mails that wait for a person, and everything of events whose order remains.
 * They are found from the events, because few are that old.
 */
export async function dropWeek(
  tx: Transaction,
  table: DividedTable,
  { week, to }: { week: string; to: Date },
): Promise<void> {
  const name = `${table}_${week}`;
  await tx.unsafe(`alter table ${table} detach partition ${name}`);
  if (table === 'raw_mails') {
    const { text, values } = writeQuery(isNeeded(tx).template);
    await tx.unsafe(`insert into ${table} select r.* from ${name} r where ${text}`, values);
  } else {
    await tx.unsafe(
      `insert into ${table} select w.* from merchants m
         cross join lateral (select e.event_id from events e where e.merchant_id = m.merchant_id and e.created_at < $1) e
         join ${name} w on w.merchant_id = m.merchant_id and w.event_id = e.event_id`,
      [to],
    );
  }
  await tx.unsafe(`drop table ${name}`);
}

/** Rows in the default partition are deleted once a week of their age is dropped and nobody needs them. */
export async function forgetDefaultRows(sql: Queryable, table: DividedTable, over: Date): Promise<void> {
  const inUse =
    table === 'raw_mails'
      ? isNeeded(sql)
      : sql`exists (select from events e where e.merchant_id = r.merchant_id and e.event_id = r.event_id)`;
  const { text, values } = writeQuery(inUse.template);
  await sql.unsafe(
    `delete from ${table}_default where ctid = any (array(select r.ctid from ${table}_default r
       where r.${dividedTables[table]} <= $${values.length + 1} and not ${text} limit ${mostDefaultRows}))`,
    [...values, over],
  );
}

/** Few rows are there; the rest waits for the next turn. */
const mostDefaultRows = 5000;
