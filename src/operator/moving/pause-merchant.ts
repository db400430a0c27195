import { setTimeout as sleep } from 'node:timers/promises';
import { day, later, second, stopwatch } from '../../base/clock.ts';
import type { Queryable, Transaction } from '../../base/database/connect.ts';
import { findOlderProcesses } from '../../base/database/find-older-processes.ts';
import { StartError } from '../../base/start-error.ts';
import type { World } from '../../base/world.ts';
import {
  lockForMove,
  park,
  selectErasing,
  selectOpenTransactions,
  setMoved,
  unpark,
  unsetMoved,
} from './queries.ts';
import type { Kind } from './tables.ts';

/** Longer than any of our own work: a delivery in progress, a query, a lease. */
const longestWait = 60 * second;
const pollEvery = 0.05 * second;
/** Programs from this schema on know that a business can be moved. */
const markerSchema = { name: '0023', text: '', checksum: '', runsBeside: false };

/** For this long, a bank or a mailbox that is read again may report a payment whose reference was erased. */
const mayReportAgain = 30 * day;

/** Erasure hashes need this installation's key. Elsewhere, an erased payment could pay again. */
export class ErasedRecently extends StartError {
  until: Date | null;
  constructor(until: Date | null) {
    super(
      until
        ? `references of payments were erased, and only this installation can recognize them: it can leave from ${until.toISOString()} on`
        : 'an erasure for a customer is not finished yet: it can leave after that',
    );
    this.until = until;
  }
}

async function refuseErasedRecently(
  tx: Transaction,
  merchantId: number,
  kind: Kind,
  now: Date,
): Promise<void> {
  if (kind === 'inside') return;
  const { is_under_way, last } = await selectErasing(tx, merchantId);
  if (is_under_way) throw new ErasedRecently(null);
  if (last && later(last, mayReportAgain) > now) throw new ErasedRecently(later(last, mayReportAgain));
}

export const takenBack = 'the move was undone: the business is open here, and no file was written';

/**
 * Pauses the business once `tx` commits: the API answers 403 if it leaves and 503 if it only moves to another
 * database. Nothing is stored, paid or decided. It can be repeated, so a killed command starts again.
 */
export async function beginMove(
  tx: Transaction,
  merchantId: number,
  kind: Kind,
  now: Date,
): Promise<{ name: string }> {
  const { older } = await findOlderProcesses(tx, [markerSchema]);
  if (older.length > 0)
    throw new StartError(`stop these older processes, which would still read mails: ${older.join('; ')}`);
  const merchant = await lockForMove(tx, merchantId);
  if (!merchant) throw new StartError(`there is no business ${merchantId}`);
  if (merchant.deletion_requested_at)
    throw new StartError('its deletion was requested: cancel that first with delete-business --cancel');
  await refuseErasedRecently(tx, merchantId, kind, now);
  await setMoved(tx, merchantId, kind, now);
  return { name: merchant.name };
}

/**
 * Waits until every transaction that may have read the business as open is over, and every started delivery is done.
 * Then parks all waiting rows. Returns when the pause began: while that is still stored, the rows are unchanged.
 */
export async function pauseMerchant(
  { sql, clock }: Pick<World, 'sql' | 'clock'>,
  merchantId: number,
  kind: Kind,
): Promise<Date> {
  const waited = stopwatch();
  const before = new Map((await selectOpenTransactions(sql)).map(({ id, who }) => [id, who]));
  while (before.size > 0) {
    const still = new Set((await selectOpenTransactions(sql)).map(({ id }) => id));
    for (const id of before.keys()) if (!still.has(id)) before.delete(id);
    await waitOn(waited, before.size > 0, `transactions did not end: ${[...before.values()].join(', ')}`);
  }
  for (;;) {
    const { left, since } = await sql.begin(async tx => {
      // `--undo` takes this row lock too, so it runs before or after this transaction, never during it.
      const movedAt = (await lockForMove(tx, merchantId))?.moved_at;
      if (!movedAt) throw new StartError(takenBack);
      await refuseErasedRecently(tx, merchantId, kind, clock.now());
      return { left: await park(tx, merchantId, kind, clock.now()), since: movedAt };
    });
    if (left === 0) return since;
    await waitOn(waited, true, `${left} deliveries are in progress`);
  }
}

async function waitOn(waited: () => number, isLeft: boolean, why: string): Promise<void> {
  if (!isLeft) return;
  if (waited() > longestWait)
    throw new StartError(`${why}. The business is paused: try again, or undo the move with --undo`);
  await sleep(pollEvery);
}

/** Returns false if there is nothing to undo. Safe only if the file was not imported anywhere. */
export async function undoMove(tx: Transaction, merchantId: number, now: Date): Promise<boolean> {
  const merchant = await lockForMove(tx, merchantId);
  if (!merchant?.moved_at) return false;
  await unsetMoved(tx, merchantId);
  await unpark(tx, merchantId, 'inside', now);
  await wake(tx);
  return true;
}

export async function wake(sql: Queryable): Promise<void> {
  for (const channel of ['alerts', 'milaan_deliveries', 'mailboxes']) await sql.notify(channel, '');
}
