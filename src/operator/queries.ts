import { day, later, minute } from '../base/clock.ts';
import type { Queryable, Sql, Transaction } from '../base/database/connect.ts';
import { keptFor } from '../base/retention.ts';
import { unapprovedPlan } from '../business/merchants/plans.ts';
import type { ReportedMetric } from './running/reported-metrics.ts';

type Sealed = { merchant_id: number; sealed: string; beside: string };

/** `table`, `column` and `beside` are our own names; no outside text enters the statement. */
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

/** Counts a column's values by the key that sealed them, which the prefix names. */
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

/** Returns false if somebody wrote another value in the meantime. That value is kept. */
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

export type Held = { businesses: number; orders: number; paid: number; alerts: number; events: number };

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

/** Counts standbys and the slowest one's lag. The lag is null without a standby, or without the right to see it. */
export async function selectStandbys(
  sql: Queryable,
): Promise<{ standbys: number; lag_seconds: number | null }> {
  const [row] = await sql<{ standbys: number; lag_seconds: number | null }[]>`
    select count(*) as standbys,
      extract(epoch from max(coalesce(replay_lag, interval '0')) filter (where state is not null))::float8 as lag_seconds
    from pg_stat_replication`;
  return row!;
}

/** When the database got its first Milaan table. */
export async function selectBeginning(sql: Queryable): Promise<Date> {
  const [row] = await sql<{ beginning: Date }[]>`select min(applied_at) as beginning from migrations`;
  return row!.beginning;
}

export type ReportedCount = { at: Date; figure: ReportedMetric; count: number };

/** One row holds the counts of this period. */
export const countedIn = 5 * minute;

export async function addCounts(
  sql: Queryable,
  now: Date,
  counts: readonly { figure: ReportedMetric; count: number }[],
): Promise<void> {
  const at = new Date(Math.floor(now.getTime() / countedIn) * countedIn);
  for (const { figure, count } of counts)
    await sql`
      insert into told_counts (at, figure, count) values (${at}, ${figure}, ${count})
      on conflict (at, figure) do update set count = told_counts.count + excluded.count`;
  await sql`delete from told_counts where at < ${later(now, -keptFor('figures'))}`;
}

/** Counts since a moment, and from up to five minutes before it. */
export async function selectCounts(sql: Queryable, since: Date): Promise<ReportedCount[]> {
  return await sql<ReportedCount[]>`
    select at, figure, count from told_counts where at > ${later(since, -countedIn)} order by at`;
}

export type ProcessState = {
  process: string;
  version: string;
  skew_seconds: number;
  jump_seconds: number;
  lag_seconds: number;
  overdue_seconds: number;
};

export async function saveProcess(sql: Queryable, state: ProcessState): Promise<void> {
  await sql`
    insert into processes (process, version, told_at, skew_seconds, jump_seconds, lag_seconds, overdue_seconds)
    values (${state.process}, ${state.version}, clock_timestamp(), ${state.skew_seconds}, ${state.jump_seconds},
      ${state.lag_seconds}, ${state.overdue_seconds})
    on conflict (process) do update set version = excluded.version, told_at = excluded.told_at,
      skew_seconds = excluded.skew_seconds, jump_seconds = excluded.jump_seconds,
      lag_seconds = excluded.lag_seconds, overdue_seconds = excluded.overdue_seconds`;
  // Forget a process after a day, because it may have moved to another machine after it died.
  await sql`delete from processes where told_at < statement_timestamp() - interval '1 day'`;
}

/** `silent_for` is the time in milliseconds since its last report. */
export async function selectProcesses(sql: Queryable): Promise<(ProcessState & { silent_for: number })[]> {
  return await sql<(ProcessState & { silent_for: number })[]>`
    select process, version, skew_seconds, jump_seconds, lag_seconds, overdue_seconds,
      (extract(epoch from clock_timestamp() - told_at) * 1000)::float8 as silent_for
    from processes order by process`;
}

export async function countMerchants(sql: Queryable, plan: string): Promise<number> {
  const [row] = await sql<{ count: number }[]>`select count(*) as count from merchants where plan = ${plan}`;
  return row?.count ?? 0;
}

export type LeavingOrders = { orders: number; businesses: number };

/** Counts what a shorter history would hide. `from` and `to` are days; null means no limit. It may count millions. */
export async function countLeaving(
  sql: Sql,
  { plan, from, to, now }: { plan: string; from: number | null; to: number; now: Date },
): Promise<LeavingOrders> {
  return await sql.begin(
    async tx => {
      const [row] = await tx<LeavingOrders[]>`
        select count(*) as orders, count(distinct o.merchant_id) as businesses
        from merchants m join orders o on o.merchant_id = m.merchant_id
        where m.plan = ${plan} and o.created_at <= ${later(now, -to * day)}
          ${from === null ? tx`` : tx`and o.created_at > ${later(now, -from * day)}`}`;
      return row!;
    },
    { patient: true },
  );
}

/** Claims reports of payment pages that no mail has mentioned, unless a mail was written after `notSince`. */
export function claimUnmailedReports(tx: Transaction, now: Date, notSince: Date) {
  return tx`
    update page_reports set mailed_at = ${now}
    where mailed_at is null and settled_at is null
      and not exists (select from page_reports where mailed_at > ${notSince})
    returning order_id`;
}

/** Claims businesses that wait for approval, by the same rule. */
export function claimUnmailedAwaiting(tx: Transaction, now: Date, notSince: Date) {
  return tx`
    update merchants set word_asked_at = ${now}
    where word_asked_at is null and plan = ${unapprovedPlan} and deletion_requested_at is null
      and not exists (select from merchants where word_asked_at > ${notSince})
    returning merchant_id`;
}
