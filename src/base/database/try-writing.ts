import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { second } from '../clock.ts';
import type { World } from '../world.ts';
import type { Sql } from './connect.ts';
import { DatabaseDown } from './database-down.ts';
import { schemaState } from './migrate.ts';
import { withDeadline } from './with-deadline.ts';

const deadline = 2 * second;
/** Several load balancers may ask every second, and each check costs a commit. */
const believedFor = 3 * second;

/**
 * Checks whether orders could be stored now; returns `ok` or the reason. Reading is not enough: it also works on a
 * standby, with a full disk or without the synchronous standby. No advisory lock is tried, because orders use those to
 * take turns, and load alone must not make us unready.
 */
export function tryWriting(world: Pick<World, 'sql' | 'clock'>): () => Promise<string> {
  const { clock } = world;
  let latest: { at: number; state: Promise<string> } | null = null;
  const check = async () => {
    // Read `sql` each time: a cell's database may have been reached since.
    const { sql } = world;
    try {
      const schema = await withDeadline(schemaState(sql), deadline);
      if (schema !== 'ok') return schema;
    } catch {
      return 'not reachable';
    }
    try {
      await withDeadline(sql`update write_trials set written_at = ${clock.now()} where trial = 1`, deadline);
      await withDeadline(takeSpace(sql), deadline);
      await withDeadline(tryOrderLocks(sql), deadline);
      return 'ok';
    } catch (error) {
      return `cannot be written: ${whyNot(error)}`;
    }
  };
  return async () => {
    const now = clock.now().getTime();
    if (latest === null || Math.abs(now - latest.at) >= believedFor) latest = { at: now, state: check() };
    return await latest.state;
  };
}

/** For the operator. Never the server's own words, because anybody can read /readyz. */
function whyNot(error: unknown): string {
  if (error instanceof DatabaseDown)
    return 'no commit in time; a lock, or a synchronous standby that is down';
  switch ((error as { code?: unknown }).code) {
    case '53100':
      return 'its disk is full';
    case '55P03':
      return 'somebody holds a lock that keeps every order out';
    case '25006':
      return 'it is read-only, or a standby';
    default:
      return 'the write failed';
  }
}

/** More than a page, of incompressible data. */
const filling = 8_000;
const briefly = 200;

/** Something that blocks these locks blocks every order. A vacuum may block them for a moment, so it is tried twice. */
async function tryOrderLocks(sql: Sql): Promise<void> {
  const take = () =>
    sql.begin(async tx => {
      await tx`lock table orders, amounts in row exclusive mode nowait`;
    });
  await take().catch(async error => {
    if ((error as { code?: string }).code !== '55P03') throw error;
    await sleep(briefly);
    await take();
  });
}

/**
 * Recreates the table and rolls back: a new file needs free disk space. A backup reads every table until it ends, so
 * this look is skipped then; the write before it has proved a commit.
 */
async function takeSpace(sql: Sql): Promise<void> {
  await sql
    .begin(async tx => {
      await tx`lock table write_trials in access exclusive mode nowait`;
      await tx`truncate write_trials`;
      await tx`insert into write_trials (trial, written_at, filling) values (1, 'epoch', ${randomBytes(filling)})`;
      throw new TakenBack();
    })
    .catch(error => {
      if (!(error instanceof TakenBack) && error.code !== '55P03') throw error;
    });
}

class TakenBack extends Error {}
