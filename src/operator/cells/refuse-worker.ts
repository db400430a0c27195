import type { Queryable } from '../../base/database/connect.ts';
import { StartError } from '../../base/start-error.ts';

/** On Citus, locks, arrival numbers (R14) and NOTIFY belong to one node. So every process must use the coordinator. */
export async function refuseWorker(sql: Queryable, url: string): Promise<void> {
  const found = await sql`select from pg_extension where extname = 'citus'`;
  if (found.length === 0) return;
  const [node] = await sql<
    { is_worker: boolean }[]
  >`select groupid <> 0 as is_worker from pg_dist_local_group`;
  if (node?.is_worker)
    throw new StartError(
      `the database at ${new URL(url).host} is a worker of Citus: name the coordinator, in every process`,
    );
}
