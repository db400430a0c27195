import { day, later, second } from '../../base/clock.ts';
import type { Transaction } from '../../base/database/connect.ts';
import type { World } from '../../base/world.ts';
import { hiddenFor } from './history-step.ts';
import {
  addWeek,
  type DividedTable,
  dividedTables,
  dropWeek,
  forgetDefaultRows,
  hasDefaultRows,
  selectWeeks,
} from './queries/partitions.ts';
import { selectLongestKept } from './queries/windows.ts';

const week = 7 * day;
/** Weeks that are created ahead. Rows beyond them go to the default partition, so nothing is refused. */
const weeksAhead = 3;
/** Adding or dropping a week waits for all users of the table and blocks those after it, so it must be brief. */
const lockLimit = 2 * second;
const firstMonday = Date.UTC(2024, 0, 1);

/**
 * Large rows that are deleted by age alone are in one table per week. Future weeks are added. A week is dropped whole
 * once everything in it is due for deletion. `mayDrop` is false while other rows refer to it.
 */
export async function keepPartitions(world: Pick<World, 'sql' | 'clock' | 'log'>, mayDrop: boolean) {
  const now = world.clock.now();
  const longest = mayDrop ? await selectLongestKept(world.sql) : null;
  const over = longest === null ? null : later(now, -longest * day - hiddenFor);
  const weeks = { added: 0, dropped: 0 };
  for (const table of Object.keys(dividedTables) as DividedTable[]) {
    const present = await selectWeeks(world.sql, table);
    for (let ahead = 0; ahead <= weeksAhead; ahead++) {
      const from = mondayOf(later(now, ahead * week));
      if (!present.includes(nameOf(from)) && (await add(world, table, from))) weeks.added++;
    }
    for (const name of present.filter(one => over !== null && later(dateOf(one), week) <= over)) {
      await impatiently(world, tx => dropWeek(tx, table, { week: name, to: later(dateOf(name), week) }));
      world.log.info({ table, week: name }, 'dropped a week of history');
      weeks.dropped++;
    }
    if (over !== null) await forgetDefaultRows(world.sql, table, over);
  }
  return weeks;
}

async function add({ sql }: Pick<World, 'sql'>, table: DividedTable, from: Date): Promise<boolean> {
  const to = later(from, week);
  if (await hasDefaultRows(sql, table, { from, to })) return false;
  await impatiently({ sql }, tx => addWeek(tx, table, { week: nameOf(from), from, to }));
  return true;
}

async function impatiently({ sql }: Pick<World, 'sql'>, work: (tx: Transaction) => Promise<void>) {
  await sql.begin(async tx => {
    await tx.unsafe(`set local lock_timeout = ${lockLimit}`);
    await work(tx);
  });
}

function mondayOf(moment: Date): Date {
  return new Date(firstMonday + Math.floor((moment.getTime() - firstMonday) / week) * week);
}

function nameOf(monday: Date): string {
  return monday.toISOString().slice(0, 10).replaceAll('-', '');
}

function dateOf(name: string): Date {
  return new Date(`${name.slice(0, 4)}-${name.slice(4, 6)}-${name.slice(6)}`);
}
