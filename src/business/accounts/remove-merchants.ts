import { later, second } from '../../base/clock.ts';
import type { Transaction } from '../../base/database/connect.ts';
import type { World } from '../../base/world.ts';
import { record } from './audit.ts';
import { deletionWindow } from './delete-merchant.ts';
import {
  beginRemoval,
  lockRemoved,
  removeSome,
  selectDueToLeave,
  selectParts,
  tablesOfAMerchant,
} from './queries/merchants.ts';
import { forgetMerchant } from './queries/taken.ts';
import { installation } from './record-audit.ts';

const stepSize = 2000;
const stepLimit = 10 * second;

export type Removed = { merchants: number; isDone: boolean };

/** Removes every business whose seven days are over. Its own row goes last, so the next run continues after a crash. */
export async function removeMerchants(
  world: Pick<World, 'sql' | 'clock' | 'log' | 'cells'>,
  isOver: () => boolean = () => false,
): Promise<Removed> {
  const now = world.clock.now();
  const askedBefore = later(now, -deletionWindow);
  let merchants = 0;
  for (const merchantId of await selectDueToLeave(world.sql, askedBefore)) {
    if (!(await beginRemoval(world.sql, merchantId, { askedBefore, now }))) continue;
    if (!(await removeRows(world, merchantId, now, isOver))) return { merchants, isDone: false };
    merchants++;
    world.log.info({ merchant: merchantId }, 'a business was removed at the end of its deletion window');
  }
  return { merchants, isDone: true };
}

async function removeRows(
  { sql, cells }: Pick<World, 'sql' | 'cells'>,
  merchantId: number,
  now: Date,
  isOver: () => boolean,
): Promise<boolean> {
  const actor = { merchantId: installation, at: now, actor: 'milaan' };
  return await removeAllOf(sql, merchantId, {
    isOver,
    async last(tx) {
      if (cells) await forgetMerchant(cells.worlds[0]!.sql, merchantId);
      await record(tx, { ...actor, action: 'business.removed', subject: String(merchantId) });
    },
  });
}

/** `last` runs with the deletion of the business's own row. Returns false if the time was over first. */
export async function removeAllOf(
  sql: World['sql'],
  merchantId: number,
  { isOver, last }: { isOver?: () => boolean; last?: (tx: Transaction) => Promise<void> } = {},
): Promise<boolean> {
  for (const table of tablesOfAMerchant) {
    for (const part of await selectParts(sql, table)) {
      let gone = stepSize;
      while (gone === stepSize) {
        gone = await sql.begin(async tx => {
          await tx.unsafe(`set local statement_timeout = ${stepLimit}`);
          // Two processes may remove the business. It may exist again after the other one finished.
          if (!(await lockRemoved(tx, merchantId))) return 0;
          const count = await removeSome(tx, part, merchantId, stepSize);
          if (table === 'merchants' && count === 1) await last?.(tx);
          return count;
        });
        // Empty tables do not use up the turn, or a short turn could never get past them.
        if (gone > 0 && table !== 'merchants' && isOver?.()) return false;
      }
    }
  }
  return true;
}
