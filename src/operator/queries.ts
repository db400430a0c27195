import type { Queryable } from '../database/connect.ts';

type Sealed = { merchant_id: number; sealed: string; beside: string };

/** `table`, `column` and `beside` are names of our own; nothing from outside enters the text. */
export async function selectSealed(
  sql: Queryable,
  table: string,
  column: string,
  beside = "''",
): Promise<Sealed[]> {
  const rows = await sql.unsafe(
    `select merchant_id, ${column} as sealed, ${beside} as beside from ${table} where ${column} is not null order by merchant_id`,
  );
  return rows as Sealed[];
}

/** How many values of a column each key sealed, by the mark that the key leaves in front. */
export async function countSealedByKey(
  sql: Queryable,
  table: string,
  column: string,
): Promise<{ mark: string; count: number }[]> {
  const rows = await sql.unsafe(
    `select split_part(${column}, '.', 1) as mark, count(*)::int as count from ${table} where ${column} is not null group by 1`,
  );
  return rows as { mark: string; count: number }[];
}

/** False when somebody wrote another value meanwhile; that one then stands. */
export async function swapSealed(
  sql: Queryable,
  table: string,
  column: string,
  { merchantId, sealed, fresh }: { merchantId: number; sealed: string; fresh: string },
): Promise<boolean> {
  const rows = await sql.unsafe(
    `update ${table} set ${column} = $1 where merchant_id = $2 and ${column} = $3 returning merchant_id`,
    [fresh, merchantId, sealed],
  );
  return rows.length === 1;
}

export async function businessExists(sql: Queryable, merchantId: number): Promise<boolean> {
  const rows = await sql`select from merchants where merchant_id = ${merchantId}`;
  return rows.length === 1;
}

export type Held = { businesses: number; orders: number; paid: number; alerts: number; events: number };

/** How much there is to verify. */
export async function countHeld(sql: Queryable): Promise<Held> {
  const [held] = await sql<Held[]>`
    select (select count(*) from merchants) as businesses,
      orders.count as orders, orders.paid as paid,
      (select count(*) from alerts) as alerts,
      (select count(*) from events) as events
    from (select count(*) as count, count(*) filter (where status = 'paid') as paid from orders) orders`;
  return held!;
}

export type Routine = 'verify' | 'backup';

export type RoutineRow = {
  routine: Routine;
  finished_at: Date;
  succeeded: boolean;
  succeeded_at: Date | null;
  details: string;
};

export async function noteRoutine(
  sql: Queryable,
  { routine, now, succeeded, details }: { routine: Routine; now: Date; succeeded: boolean; details: string },
): Promise<void> {
  await sql`
    insert into routines (routine, finished_at, succeeded, succeeded_at, details)
    values (${routine}, ${now}, ${succeeded}, ${succeeded ? now : null}, ${details})
    on conflict (routine) do update set finished_at = excluded.finished_at, succeeded = excluded.succeeded,
      succeeded_at = coalesce(excluded.succeeded_at, routines.succeeded_at), details = excluded.details`;
}

export async function selectRoutines(sql: Queryable): Promise<RoutineRow[]> {
  return await sql<RoutineRow[]>`
    select routine, finished_at, succeeded, succeeded_at, details from routines order by routine`;
}

/** When the database got its first table of ours. */
export async function selectBeginning(sql: Queryable): Promise<Date> {
  const [row] = await sql<{ beginning: Date }[]>`select min(applied_at) as beginning from migrations`;
  return row!.beginning;
}
