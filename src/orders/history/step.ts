import { day } from '../../base/clock.ts';
import type { Transaction } from '../../base/database/connect.ts';
import { hiddenDays } from '../../base/what-is-kept.ts';
import type { World } from '../../base/world.ts';

export const hiddenFor = hiddenDays * day;

/** A business with something that should leave. */
export type Leaving = {
  merchantId: number;
  /** What is as old as this, or older, lies outside its plan's window: it is hidden, and archived. */
  hidesBefore: Date;
  /** What is as old as this, or older, is deleted. */
  leavesBefore: Date;
  /** False: its mails and log leave with their week, because nobody's window is longer. */
  leavesAlone: boolean;
};

/** A small part of the work on one business, in a transaction of its own. Returns how many things it moved. */
export type Step = (
  tx: Transaction,
  business: Leaving,
  limit: number,
  world: Pick<World, 'clock' | 'log'>,
) => Promise<number>;
