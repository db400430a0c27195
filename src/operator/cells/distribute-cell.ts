import { connect, type Queryable } from '../../base/database/connect.ts';
import { migrate } from '../../base/database/migrate.ts';
import { StartError } from '../../base/start-error.ts';

/**
 * A cell on Citus: the schema that the URL names is made, brought up to date and given to the cluster, which keeps all of
 * it on one node and moves it as one. Interrupted it is simply begun again; what is distributed already stays as it is.
 */
export async function distributeCell(url: string, say: (line: string) => void): Promise<void> {
  const schema = schemaOf(url);
  if (schema === null)
    throw new StartError(
      'a cell on Citus is a schema of its own: its URL must name one, as in …/milaan?options=-c%20search_path%3Dcell_b',
    );
  const sql = connect(url, { most: 2 });
  try {
    if (!(await isOnCitus(sql, url)))
      throw new StartError(
        `the database at ${new URL(url).host} has no Citus: create extension citus there, or add it without --citus`,
      );
    await sql.unsafe(`create schema if not exists ${schema}`);
    await migrate(sql, say);
    const done = await sql`select from pg_dist_schema where schemaid = ${schema}::regnamespace`;
    if (done.length === 0) await sql.begin(tx => giveToCluster(tx, schema), { patient: true });
    say(`schema ${schema} is distributed`);
  } finally {
    await sql.end();
  }
}

/** Whether the server is one of Citus. A worker is refused: locks, numbers of arrival (R14) and NOTIFY are each node's own. */
export async function isOnCitus(sql: Queryable, url: string): Promise<boolean> {
  const found = await sql`select from pg_extension where extname = 'citus'`;
  if (found.length === 0) return false;
  const [node] = await sql<
    { is_worker: boolean }[]
  >`select groupid <> 0 as is_worker from pg_dist_local_group`;
  if (node?.is_worker)
    throw new StartError(
      `the database at ${new URL(url).host} is a worker of Citus: name the coordinator, in every process`,
    );
  return true;
}

function schemaOf(url: string): string | null {
  const options = new URL(url).searchParams.get('options') ?? '';
  const schema = /-c\s*search_path=([a-z_][a-z0-9_]*)(?=\s|$)/.exec(options)?.[1];
  return schema === undefined || schema === 'public' ? null : schema;
}

/** Triggers that a node refuses go: they only catch what somebody changes by hand. */
async function giveToCluster(tx: Queryable, schema: string): Promise<void> {
  await tx.unsafe('set local statement_timeout = 0; set local citus.enable_unsafe_triggers = on');
  for (const [trigger, table] of triggers) await tx.unsafe(`drop trigger if exists ${trigger} on ${table}`);
  // A node moves no table that it does not log.
  await tx.unsafe('alter table deliveries_in_hand set logged');
  await tx`select citus_schema_distribute(${schema})`;
}

/** Whatever they do is done by pay_order, by moveOrder and by whoever tells owners, too. */
const triggers = [
  ['tell_order_news', 'orders'],
  ['archive_again', 'orders'],
  ['count_paid_piece', 'orders'],
  ['unconfirmable_without_forwarding', 'unconfirmable'],
] as const;
