import type { Transaction } from '../../base/database/connect.ts';
import { type Paise, rupees } from '../../base/money.ts';
import { randomBase62 } from '../../base/random.ts';
import type { World } from '../../base/world.ts';
import { notifyOwner } from '../../outbox/notices/notify-owner.ts';
import { type AtLimit, notePaused, selectAtLimit, warnedFrom } from './at-limit.ts';

const mostInARound = 200;

/**
 * Tells owners that their month is nearly full, that it is full, and that their plan pauses accounts. Beside the payments
 * and not in them: what was counted is looked at a little later, so a crash only delays. Each step once a month and limit:
 * a larger plan has a wall of its own. Returns how many businesses were looked at.
 */
export async function tellLimits({ sql, clock }: Pick<World, 'sql' | 'clock'>): Promise<number> {
  const now = clock.now();
  const found = await selectAtLimit(sql, now, { limit: mostInARound, untold: true });
  for (const business of found)
    await sql.begin(async tx => {
      await tellOfMonth(tx, business, now);
      await tellOfPausedAccounts(tx, business, now);
    });
  return found.length;
}

async function tellOfMonth(tx: Transaction, business: AtLimit, now: Date): Promise<void> {
  const { merchant_id: merchantId, month, collected_paise: collected, monthly_limit_paise: limit } = business;
  if (limit === null || collected * 100 < limit * warnedFrom) return;
  const isFull = collected >= limit;
  const facts = { limit: inRupees(limit), collected: inRupees(collected) };
  const dedupeKey = `plan_month ${month} ${limit} ${isFull ? 100 : warnedFrom}`;
  await notifyOwner(tx, {
    merchantId,
    now,
    dedupeKey,
    ...(isFull
      ? { kind: 'month_full', facts }
      : { kind: 'month_nearly_full', facts: { ...facts, percent: Math.floor((collected * 100) / limit) } }),
  });
}

async function tellOfPausedAccounts(tx: Transaction, business: AtLimit, now: Date): Promise<void> {
  const { merchant_id: merchantId, account_limit: limit, paused } = business;
  if (!(await notePaused(tx, merchantId, paused)) || paused === 0 || limit === null) return;
  await notifyOwner(tx, {
    merchantId,
    now,
    kind: 'accounts_paused',
    facts: { count: paused, limit },
    dedupeKey: `accounts_paused ${randomBase62(16)}`,
  });
}

function inRupees(paise: number): string {
  return rupees(paise as Paise).toLocaleString('en-IN', { minimumFractionDigits: 2 });
}
