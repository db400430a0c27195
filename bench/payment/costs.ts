import { readdirSync, readFileSync } from 'node:fs';
import type { Sql } from '../../src/base/database/connect.ts';

/** Microseconds of processor time so far. */
export type Spent = {
  /** The process without its judge threads. */
  service: number;
  judges: number;
  /** Its database connections. */
  database: number;
  /** Its statements: one call per round trip, and the database's time for each. */
  statements: Map<string, { calls: number; took: number }>;
};

/** A process with its own database user, so that its work inside the database can be measured. */
export type Costing = { pid: number; user: string };

/** Adds a database user for each process, with all rights, like the program's own user. */
export async function addUsers(sql: Sql, users: readonly string[]): Promise<void> {
  await sql.unsafe('create schema bench; create extension pg_stat_statements schema bench');
  for (const user of users) await sql.unsafe(`create role ${user} login superuser password 'bench'`);
}

export function urlOf(databaseUrl: string, user: string): string {
  const url = new URL(databaseUrl);
  url.username = user;
  url.password = 'bench';
  return url.href;
}

export async function spentBy(sql: Sql, { pid, user }: Costing): Promise<Spent> {
  const threads = readdirSync(`/proc/${pid}/task`).map(thread => `/proc/${pid}/task/${thread}`);
  const ofJudges = threads.filter(thread => read(`${thread}/comm`).trim() === 'WorkerThread');
  const rows = await sql<{ query: string; calls: number; took: number }[]>`
    select s.query, sum(s.calls)::bigint as calls, sum(s.total_exec_time + s.total_plan_time) * 1000 as took
    from bench.pg_stat_statements s join pg_roles r on r.oid = s.userid
    where r.rolname = ${user} and s.query !~ '^set local' group by 1`;
  return {
    service: sum(threads) - sum(ofJudges),
    judges: sum(ofJudges),
    database: await backendsOf(sql, user),
    statements: new Map(rows.map(({ query, calls, took }) => [query, { calls, took: Number(took) }])),
  };
}

/** Microseconds of one user's connections. Closed connections are not counted. */
export async function backendsOf(sql: Sql, user: string): Promise<number> {
  const backends = await sql<{ pid: number }[]>`select pid from pg_stat_activity where usename = ${user}`;
  return sum(backends.map(({ pid }) => `/proc/${pid}`));
}

/** The database's work outside connections: its log, its pages, its statistics. */
export async function besidesConnections(sql: Sql): Promise<number> {
  const rows = await sql<{ pid: number }[]>`
    select pid from pg_stat_activity where backend_type <> 'client backend'`;
  return sum(rows.map(({ pid }) => `/proc/${pid}`));
}

function sum(places: readonly string[]): number {
  return places.reduce((all, place) => all + Number(read(`${place}/schedstat`).split(' ')[0] || 0) / 1000, 0);
}

/** Empty if the process has ended. */
function read(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}
