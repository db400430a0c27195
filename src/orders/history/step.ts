import { day } from '../../base/clock.ts';
import type { Transaction } from '../../base/database/connect.ts';
import { hiddenDays } from '../../base/what-is-kept.ts';
import type { World } from '../../base/world.ts';

export const hiddenFor = hiddenDays * day;

/** A business with something to archive or delete. */
export type Leaving = {
  merchantId: number;
  /** What is at least this old is outside its plan's window: it is hidden, and archived. */
  hidesBefore: Date;
  /** What is at least this old is deleted. */
  leavesBefore: Date;
  /** False if its mails and log are dropped with their week, because nobody has a longer window. */
  leavesAlone: boolean;
};

/** A small part of the work on one business, in its own transaction. Returns how many things it moved. */
export type Step = (
  tx: Transaction,
  business: Leaving,
  limit: number,
  world: Pick<World, 'clock' | 'log'>,
) => Promise<number>;
