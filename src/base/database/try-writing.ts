import { second } from '../clock.ts';
import type { World } from '../world.ts';
import { DatabaseAway } from './database-away.ts';
import { schemaState } from './migrate.ts';
import { takeSpace, tryOrderLocks, writeTrial } from './queries.ts';
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
