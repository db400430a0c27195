import { readdirSync, readFileSync } from 'node:fs';
import type { Sql } from '../src/base/database/connect.ts';

const ticksPerSecond = 100;

type Stat = { parent: number; ticks: number };

/** Seconds of processor time that these processes have used so far, with their children that ended and those that live. */
export function processorSeconds(pids: readonly number[]): number {
  return [...familyOf(pids).values()].reduce((sum, { ticks }) => sum + ticks, 0) / ticksPerSecond;
}

/** MiB of these processes and their children; memory that several share counts once. */
export function memoryOf(pids: readonly number[]): number {
  const kilobytes = [...familyOf(pids).keys()].map(pid => {
    try {
      return Number(/^Pss: +(\d+)/m.exec(readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8'))?.[1] ?? 0);
    } catch {
      return 0; // It has ended.
    }
  });
  return kilobytes.reduce((sum, one) => sum + one, 0) / 1024;
}

function familyOf(pids: readonly number[]): Map<number, Stat> {
  const all = new Map<number, Stat>();
  for (const name of readdirSync('/proc').filter(one => /^\d+$/.test(one))) {
    const stat = readStat(Number(name));
    if (stat) all.set(Number(name), stat);
  }
  const isOurs = (pid: number): boolean => pids.includes(pid) || isOursByParent(pid);
  const isOursByParent = (pid: number): boolean => {
    const parent = all.get(pid)?.parent ?? 0;
    return parent > 1 && isOurs(parent);
  };
  return new Map([...all].filter(([pid]) => isOurs(pid)));
}

/** The process that all backends of a database are children of. */
export async function serverPid(sql: Sql): Promise<number> {
  const [row] = await sql<{ pid: number }[]>`select pg_backend_pid() as pid`;
  return readStat(row!.pid)!.parent;
}

/** Null if it has ended. A child's time counts once it has ended and its parent knows. */
function readStat(pid: number): Stat | null {
  try {
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)!.split(' ');
    const time = [11, 12, 13, 14].map(place => Number(fields[place]));
    return { parent: Number(fields[1]), ticks: time.reduce((sum, one) => sum + one, 0) };
  } catch {
    return null;
  }
}
