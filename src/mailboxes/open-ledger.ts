import { later } from '../clock.ts';
import { isDatabaseAway } from '../database/database-away.ts';
import { gather } from '../database/gather.ts';
import { lateWindow } from '../time-windows.ts';
import type { World } from '../world.ts';
import {
  type FolderOf,
  type HeldPosition,
  oldestOpenWindows,
  readPositions,
  writeFreePositions,
  writeHeldPosition,
} from './queries/positions.ts';
import { type Noted, recordConnected, recordGoodPoll } from './queries/states.ts';

export type Ledger = ReturnType<typeof openLedger>;

/**
 * What every watcher reads and writes at each poll. Those that do it at one time share a statement: a thousand mailboxes
 * begin together when a process starts, or when their provider is back.
 */
export function openLedger({ sql, clock }: Pick<World, 'sql' | 'clock'>) {
  return {
    readPosition: together((asked: readonly FolderOf[]) => readPositions(sql, asked)),
    /** Throws LostLease. */
    writePosition: together(async (moved: readonly HeldPosition[]) => {
      const [first] = moved;
      if (moved.length === 1 && first) return [await writeHeldPosition(sql, first)];
      const written = await writeFreePositions(sql, moved);
      // Whose lease is lost, or locked at this moment, waits for it alone: none of the others waits with him.
      return moved.map(one => (written.has(one.held.merchantId) ? undefined : writeHeldPosition(sql, one)));
    }),
    oldestOpenWindow: together((merchantIds: readonly number[]) =>
      oldestOpenWindows(sql, merchantIds, later(clock.now(), -lateWindow)),
    ),
    recordConnected: together(async (noted: readonly Noted[]) => {
      await recordConnected(sql, noted);
      return noted.map(() => undefined);
    }),
    recordGoodPoll: together(async (noted: readonly Noted[]) => {
      await recordGoodPoll(sql, noted);
      return noted.map(() => undefined);
    }),
  };
}

/** What the database refuses, such as a folder's impossible name, it refuses to one mailbox and not to all who asked with it. */
function together<Q, A>(ask: (questions: readonly Q[]) => Promise<readonly (A | Promise<A>)[]>) {
  return gather<Q, A>(async questions => {
    try {
      return await ask(questions);
    } catch (error) {
      if (questions.length === 1 || isDatabaseAway(error)) throw error;
      return questions.map(async question => (await ask([question]))[0]!);
    }
  });
}
