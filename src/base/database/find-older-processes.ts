import { second } from '../clock.ts';
import { version } from '../version.ts';
import { hasTable } from './applied-migrations.ts';
import type { Queryable } from './connect.ts';
import { type Migration, numberOf } from './migration-files.ts';
import {
  connectionName,
  isReleaseBefore,
  isThisProgram,
  type Program,
  readConnectionName,
  readProgramVersion,
} from './program-name.ts';

/** Processes report every 15 seconds that they run. */
export const believedAliveFor = 45 * second;

/** Describes running processes that these migrations would break. */
export async function findOlderProcesses(
  sql: Queryable,
  waiting: readonly Migration[],
): Promise<{ older: string[]; isHidden: boolean }> {
  const isBroken = (program: Program | null) =>
    program !== null &&
    !isThisProgram(program) &&
    waiting.some(
      ({ name, runsBeside }) =>
        numberOf(name) > program.schema && !(runsBeside && isReleaseBefore(program.version, version)),
    );
  const connections = await sql<{ name: string; host: string | null; count: number; is_own: boolean }[]>`
    select application_name as name, host(client_addr) as host, count(*) as count,
      bool_or(pid = pg_backend_pid()) as is_own
    from pg_stat_activity where datname = current_database() and coalesce(backend_type, 'client backend') = 'client backend'
    group by 1, 2 order by 1, 2`;
  const reported = await readProcesses(sql);
  return {
    older: [
      ...connections
        .filter(({ name }) => isBroken(readConnectionName(name)))
        .map(({ name, host, count }) => {
          const { version } = readConnectionName(name)!;
          return `version ${version}, ${count} connections${host === null ? '' : ` from ${host}`} as "${name}"`;
        }),
      ...reported
        .filter(row => isBroken(readProgramVersion(row.version)))
        .map(({ process, version }) => `version ${version}, process ${process}`),
    ],
    isHidden: !connections.some(({ name, is_own }) => is_own && name.startsWith(connectionName(''))),
  };
}

async function readProcesses(sql: Queryable): Promise<{ process: string; version: string }[]> {
  if (!(await hasTable(sql, 'processes'))) return [];
  return await sql<{ process: string; version: string }[]>`
    select process, version from processes
    where told_at > clock_timestamp() - ${believedAliveFor} * interval '1 millisecond' order by process`;
}
