import { day } from '../../base/clock.ts';
import type { Transaction } from '../../base/database/connect.ts';
import { hiddenDays } from '../../base/retention.ts';
import type { World } from '../../base/world.ts';

export const hiddenFor = hiddenDays * day;

export type Leaving = {
  merchantId: number;
  /** Rows at least this old are outside their plan's window: they are hidden, and archived. */
  hidesBefore: Date;
  /** Rows at least this old are deleted. */
  leavesBefore: Date;
  /** False if its mails and log are dropped with their week, because nobody has a longer window. */
  leavesAlone: boolean;
};

/** A small part of the work on one business, in its own transaction. Returns how many things it moved. */
export type Step = (
  tx: Transaction,
  merchant: Leaving,
  limit: number,
  world: Pick<World, 'clock' | 'log'>,
) => Promise<number>;
