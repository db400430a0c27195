import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { second } from '../clock.ts';
import type { World } from '../world.ts';
import type { Sql } from './connect.ts';
import { DatabaseAway } from './database-away.ts';
import { schemaState } from './migrate.ts';
import { withDeadline } from './with-deadline.ts';

const deadline = 2 * second;
/** Several load balancers ask every second or two, and what they ask costs a commit. */
const believedFor = 3 * second;

/**
 * Whether orders could be stored now: `ok`, or why not in words. Reading is not enough: a standby, a disk that is full
 * and a synchronous standby that is away all let one read. No advisory lock is tried for: those are how orders take
 * turns, and load alone must make nobody unready.
 */
export function tryWriting(world: Pick<World, 'sql' | 'clock'>): () => Promise<string> {
  const { clock } = world;
  let latest: { at: number; state: Promise<string> } | null = null;
  const look = async () => {
    // Asked each time: one of several databases may have been met since.
    const { sql } = world;
    try {
      const schema = await withDeadline(schemaState(sql), deadline);
      if (schema !== 'ok') return schema;
    } catch {
      return 'not reachable';
    }
    try {
      await withDeadline(writeTrial(sql, clock.now()), deadline);
      await withDeadline(takeSpace(sql), deadline);
      await withDeadline(tryOrderLocks(sql), deadline);
      return 'ok';
    } catch (error) {
      return `cannot be written: ${whyNot(error)}`;
    }
  };
  return async () => {
    const now = clock.now().getTime();
    if (latest === null || Math.abs(now - latest.at) >= believedFor) latest = { at: now, state: look() };
    return await latest.state;
  };
}

/** For whoever was woken; never the server's own words, which anybody could read at /readyz. */
function whyNot(error: unknown): string {
  if (error instanceof DatabaseAway)
    return 'no commit in time; a lock, or a synchronous standby that is away';
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

/** More than a page, and not to be compressed. */
const filling = 8_000;
/** Milliseconds. */
const briefly = 200;

async function writeTrial(sql: Sql, now: Date): Promise<void> {
  await sql`update write_trials set written_at = ${now} where trial = 1`;
}

/**
 * The locks that an order takes, and gone again. Orders that are being stored do not stand in the way of it: whoever
 * does keeps every order out. A vacuum that gives space back does so for a moment, so it is tried twice.
 */
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

/** Makes the table anew and takes it back: a file that did not exist needs space that must be there. */
async function takeSpace(sql: Sql): Promise<void> {
  await sql
    .begin(async tx => {
      await tx`truncate write_trials`;
      await tx`insert into write_trials (trial, written_at, filling) values (1, 'epoch', ${randomBytes(filling)})`;
      throw new TakenBack();
    })
    .catch(error => {
      if (!(error instanceof TakenBack)) throw error;
    });
}

class TakenBack extends Error {}
