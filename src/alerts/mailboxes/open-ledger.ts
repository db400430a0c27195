import { later } from '../../base/clock.ts';
import { isDatabaseAway } from '../../base/database/database-away.ts';
import { gather } from '../../base/database/gather.ts';
import { lateWindow } from '../../base/time-windows.ts';
import type { World } from '../../base/world.ts';
import type { Note } from './queries/leases.ts';
import {
  type FolderOf,
  type HeldPosition,
  oldestOpenWindows,
  readPositions,
  writeHeldPosition,
  writePositions,
} from './queries/positions.ts';
import { recordConnected, recordGoodPoll } from './queries/states.ts';

export type Ledger = ReturnType<typeof openLedger>;

/**
 * What every watcher reads and writes at each poll. Those that do so at the same time share a statement: a thousand
 * mailboxes begin together when a process starts, or when their provider is back.
 */
export function openLedger({ sql, clock }: Pick<World, 'sql' | 'clock'>) {
  return {
    readPosition: together((asked: readonly FolderOf[]) => readPositions(sql, asked)),
    /** Throws LostLease. */
    writePosition: noteTogether(writePositions, (one: HeldPosition) => writeHeldPosition(sql, one)),
    oldestOpenWindow: together((merchantIds: readonly number[]) =>
      oldestOpenWindows(sql, merchantIds, later(clock.now(), -lateWindow)),
    ),
    recordConnected: noteTogether(recordConnected),
    recordGoodPoll: noteTogether(recordGoodPoll),
  };

  /** A mailbox whose lease is lost or locked at this moment is written alone: none of the others waits for it. */
  function noteTogether<T>(
    note: Note<T>,
    alone = async (one: T): Promise<void> => void (await note(sql, [one], false)),
  ) {
    return together<T, void>(async noted => {
      if (noted.length === 1) return noted.map(alone);
      const places = new Set((await note(sql, noted, true)).map(({ place }) => place));
      return noted.map((one, index) => (places.has(index + 1) ? undefined : alone(one)));
    });
  }
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
