import { later } from '../../base/clock.ts';
import type { Queryable, Transaction } from '../../base/database/connect.ts';
import { ApiError } from '../../base/http/api-error.ts';
import { mostOffset, mostUsualOffset, type Paise } from '../../base/money.ts';
import { randomBase62 } from '../../base/random.ts';
import { guardTime, lateWindow, payableTime } from '../../base/time-windows.ts';
import type { World } from '../../base/world.ts';
import { createOrder } from '../create-order.ts';
import { noAddress, type Order } from '../order.ts';
import {
  type AskedBy,
  countOpenOf,
  insertPurpose,
  type LinkState,
  linkState,
  lockLinks,
  type OpenCounts,
  type ShopsLink,
  selectCounterSettings,
  selectLink,
  selectOpenOfBrowser,
  type Visitor,
} from './queries.ts';

/**
 * Unpaid orders that a business's links may have open at about one price. Other orders need amounts too. The fewer
 * amounts strangers hold, the fewer near misses of real customers match a stranger's order (R15).
 */
const mostOpenPerPrice = 40;
/** One network, an IPv4 address or an IPv6 /64, may hold a tenth of them. A paid order frees its place. */
const mostPerNetwork = 4;
/** One IPv6 /48 may hold half of them: it may be one flat, or a carrier's whole region. */
const mostPerWideNetwork = 20;
/** One network may hold a fifth of a link's pieces unpaid, and a /48 half of them, but always at least one. */
const piecesPerNetwork = 1 / 5;
const piecesPerWideNetwork = 1 / 2;
/** A customer who ran out of time may try once more. A stranger who keeps pressing cannot hold the last piece. */
const turnsPerNetwork = 2;

export type PaidByLink =
  | { outcome: 'order'; payToken: string }
  | { outcome: 'unknown' | Exclude<LinkState, 'open'> | 'wrong_amount' | 'busy' | 'crowded' };

export type Press = { merchantId: number; token: string; typedAmount: Paise | null; visitor: Visitor };

/**
 * A stranger presses "Pay". Returns the order that their browser has open for this link, or a new one for five
 * minutes. An unpaid order counts against the limits as long as its amount is held.
 */
export async function payByLink(
  tx: Transaction,
  world: Pick<World, 'clock' | 'config' | 'log' | 'baseUrl'>,
  press: Press,
): Promise<PaidByLink> {
  const { merchantId, visitor } = press;
  const now = world.clock.now();
  // Check before the lock too, so that requests which are refused anyway do not queue for it.
  const early = await mayOpen(tx, press, now);
  if (early.outcome !== 'may_open') return early;
  await lockLinks(tx, merchantId);
  const answer = await mayOpen(tx, press, now);
  if (answer.outcome !== 'may_open') return answer;
  const { link, amount } = answer;
  const { browser, network, wideNetwork: wide_network } = visitor;
  const order = await createCounterPayment(tx, world, {
    merchantId,
    amount,
    purpose: link.title,
    customerName: '',
    by: { link_id: link.link_id, visitor: browser, network, wide_network },
  });
  return { outcome: 'order', payToken: order.pay_token };
}

async function mayOpen(
  tx: Transaction,
  { merchantId, token, typedAmount, visitor }: Press,
  now: Date,
): Promise<PaidByLink | { outcome: 'may_open'; link: ShopsLink; amount: Paise }> {
  const [link] = await selectLink(tx, merchantId, token, now);
  if (!link) return { outcome: 'unknown' };
  const amount = link.amount_paise ?? typedAmount;
  const opened = await findOpened(tx, { merchantId, link, amount, visitor, now });
  if (opened) return opened;
  const state = linkState(link, now);
  if (state !== 'open') return { outcome: state };
  if (amount === null || (link.amount_paise === null && !isWithin(amount, link)))
    return { outcome: 'wrong_amount' };
  const open = await countOpenOf(tx, {
    merchantId,
    linkId: link.link_id,
    now,
    visitor,
    since: later(now, -(payableTime + lateWindow + guardTime)),
    least: amount - mostOffset,
    most: amount + mostOffset,
  });
  if (isShareUsed(open, link.stock)) return { outcome: 'crowded' };
  if (open.all >= mostOpenPerPrice) return { outcome: 'busy' };
  return { outcome: 'may_open', link, amount };
}

type Opened = { merchantId: number; link: ShopsLink; amount: Paise | null; visitor: Visitor; now: Date };

/** Compares only the cookie: customers can share a network. A sold-out link still leads to an open order. */
export async function findOpened(
  sql: Queryable,
  { merchantId, link, amount, visitor: { browser }, now }: Opened,
): Promise<{ outcome: 'order'; payToken: string } | null> {
  if (browser === null || amount === null || link.withdrawn_at !== null) return null;
  const asked = { merchantId, linkId: link.link_id, browser, amount, now };
  const payToken = await selectOpenOfBrowser(sql, asked);
  return payToken === null ? null : { outcome: 'order', payToken };
}

function isShareUsed(open: OpenCounts, stock: number | null): boolean {
  if (open.network >= mostPerNetwork || open.wide_network >= mostPerWideNetwork) return true;
  if (stock === null) return false;
  const most = (share: number) => Math.max(1, Math.floor(stock * share));
  return (
    open.network_pieces >= most(piecesPerNetwork) ||
    open.wide_network_pieces >= most(piecesPerWideNetwork) ||
    open.network_opened >= turnsPerNetwork * most(piecesPerNetwork)
  );
}

function isWithin(
  amount: Paise,
  { least_paise, most_paise }: { least_paise: Paise | null; most_paise: Paise | null },
): boolean {
  return least_paise !== null && most_paise !== null && amount >= least_paise && amount <= most_paise;
}

/** Orders of links and of the Counter have ids with this prefix. A shop's server may use it too. */
export const counterPrefix = 'till-';

type CounterPayment = {
  merchantId: number;
  amount: Paise;
  purpose: string;
  customerName: string;
  by: AskedBy;
};

/**
 * Creates an order without a shop's server. It has no return addresses, and its webhook goes to the business's own
 * address, if any. The event is recorded anyway (R8).
 */
export async function createCounterPayment(
  tx: Transaction,
  world: Pick<World, 'clock' | 'config' | 'log' | 'baseUrl'>,
  { merchantId, amount, purpose, customerName, by }: CounterPayment,
): Promise<Order> {
  const { webhook_url, cap_added } = await selectCounterSettings(tx, merchantId);
  const { order } = await createOrder(
    tx,
    world,
    { merchantId, signedIn: true },
    {
      amount,
      merchantOrderId: `${counterPrefix}${randomBase62(16)}`,
      successUrl: noAddress,
      failureUrl: noAddress,
      webhookUrl: webhook_url ?? noAddress,
      customer: customerName === '' ? null : { name: customerName },
      account: null,
    },
  );
  // More than 99 paise is added only if every smaller offset is held (R6). The rollback frees the amount again.
  if (cap_added && order.payable_paise - order.amount_paise > mostUsualOffset)
    throw new ApiError('all_payment_slots_busy');
  await insertPurpose(tx, {
    merchant_id: merchantId,
    order_id: order.order_id,
    purpose,
    created_at: order.created_at,
    ...by,
  });
  return order;
}
