import { later } from '../../base/clock.ts';
import type { Transaction } from '../../base/database/connect.ts';
import { mostOffset, type Paise } from '../../base/money.ts';
import { guardTime, lateWindow, payableTime } from '../../base/time-windows.ts';
import type { World } from '../../base/world.ts';
import type { Order } from '../order.ts';
import { type LinkState, linkState } from './link-state.ts';
import { countOpenOf, lockLinks, selectLink } from './queries.ts';
import { takePayment } from './take-payment.ts';

/**
 * Unpaid orders that the links of a business may have open on one price. Others need amounts too, and the fewer are held
 * by strangers, the fewer slips of the shop's own customers meet one of theirs (R15).
 */
const mostOpenOnAPrice = 20;

export type PaidByLink =
  | { outcome: 'order'; order: Order }
  | { outcome: 'unknown' | Exclude<LinkState, 'open'> | 'wrong_amount' | 'busy' };

/**
 * A stranger presses "Pay": a fresh order of five minutes. Its amount is held for a while after it expired, and counts
 * for as long.
 */
export async function payByLink(
  tx: Transaction,
  world: Pick<World, 'clock' | 'config' | 'log' | 'baseUrl'>,
  { merchantId, token, typedAmount }: { merchantId: number; token: string; typedAmount: Paise | null },
): Promise<PaidByLink> {
  const now = world.clock.now();
  await lockLinks(tx, merchantId);
  const link = await selectLink(tx, merchantId, token, now);
  if (!link) return { outcome: 'unknown' };
  const state = linkState(link, now);
  if (state !== 'open') return { outcome: state };
  const amount = link.amount_paise ?? typedAmount;
  if (amount === null || (link.amount_paise === null && !isWithin(amount, link)))
    return { outcome: 'wrong_amount' };
  const open = await countOpenOf(tx, {
    merchantId,
    since: later(now, -(payableTime + lateWindow + guardTime)),
    least: amount - mostOffset,
    most: amount + mostOffset,
  });
  if (open >= mostOpenOnAPrice) return { outcome: 'busy' };
  const order = await takePayment(tx, world, {
    merchantId,
    amount,
    purpose: link.title,
    customerName: '',
    by: { linkId: link.link_id },
  });
  return { outcome: 'order', order };
}

function isWithin(
  amount: Paise,
  { least_paise, most_paise }: { least_paise: Paise | null; most_paise: Paise | null },
): boolean {
  return least_paise !== null && most_paise !== null && amount >= least_paise && amount <= most_paise;
}
