import { readMailbox } from '../alerts/mailboxes/queries/settings.ts';
import { day, hour, indiaAhead, later, minute } from '../base/clock.ts';
import { ApiError } from '../base/http/api-error.ts';
import { isStorable } from '../base/http/text.ts';
import { type Paise, paise, rupeesText } from '../base/money.ts';
import { randomDigits } from '../base/random.ts';
import { orderColumns } from '../orders/sql-fragments.ts';
import { type NearMissKind, nearMissKind } from '../payments/matching/credit.ts';
import { enterReference } from '../payments/review/enter-reference.ts';
import { handOverMail } from './hand-over-mail.ts';
import { moveClock } from './move-clock.ts';
import type { Playground } from './playground.ts';
import { type PayableOrder, readStrayAmount, type StoredVerdict } from './queries.ts';
import type { ScenarioName } from './scenarios.ts';
import { writeAlert } from './write-alert.ts';

/** After the order's expiry and inside the late window (§3). */
const lateAfter = 12 * minute;
const delay = 20 * minute;
const hang = 2 * hour;
const somebodyElse = 'somebody-else@another-shop.example';

type Play = (playground: Playground, order: PayableOrder) => Promise<StoredVerdict[]>;

/** Plays the customer and their bank for an order of the demo business or seller. Returns one verdict per mail. */
export async function payOrder(playground: Playground, orderId: string, how: ScenarioName) {
  const { world, demo, seller } = playground;
  for (const payee of [demo, seller]) {
    if (!payee || !isStorable(orderId)) continue;
    const order = await world.sql<PayableOrder[]>`
      select ${orderColumns(world.sql, world.clock.now())}, a.account_digits
      from orders o join upi_accounts a on a.merchant_id = o.merchant_id and a.account_id = o.account_id
      where o.merchant_id = ${payee.merchantId} and o.order_id = ${orderId}`.first();
    if (order) return await plays[how]({ ...playground, demo: { ...demo, ...payee } }, order);
  }
  throw new ApiError('order_not_found');
}

const plays: Record<ScenarioName, Play> = {
  exact: pay,

  /** The customer pays long after the link expired: the clock moves to twelve minutes after the order's creation. */
  late: (playground, order) => payAfter(playground, order, lateAfter),

  /** The customer leaves the paise out, or pays another amount with the same rupees. */
  wrong_paise: async (playground, order) => {
    const { amount_paise, payable_paise } = order;
    const nearest = sameRupees(order).sort(
      (a, b) => Math.abs(a - payable_paise) - Math.abs(b - payable_paise),
    );
    return await payStray(playground, order, [amount_paise, ...nearest]);
  },

  /** Whole rupees, which no order ever asks for (R6). */
  rounded: async (playground, order) => {
    return await pay(playground, order, { amount: wholeRupees(order) });
  },

  /** If both paise digits are the same, or another order holds the swapped amount, one digit is wrong instead. */
  swapped: (playground, order) =>
    payStray(playground, order, nearMissesOf(order, ['swapped', 'wrong_digit'])),
  wrong_digit: (playground, order) => payStray(playground, order, nearMissesOf(order, ['wrong_digit'])),

  /** Two payments with two references, not one mail found twice. */
  twice: async (playground, order) => [...(await pay(playground, order)), ...(await pay(playground, order))],

  /** A genuine alert about one rupee more, changed afterwards to name the order's amount. */
  forged: async (playground, order) => {
    const other = paise(order.payable_paise + 100);
    const genuine = await alertOf(playground, order, { amount: other });
    const text = genuine.toString('latin1').replace(rupeesText(other), rupeesText(order.payable_paise));
    return [await handOverMail(playground, Buffer.from(text, 'latin1'))];
  },

  wrong_recipient: (playground, order) => pay(playground, order, { to: somebodyElse }),

  /** Paid in time, but the bank's mail takes twenty minutes. */
  delayed: async (playground, order) => {
    const alert = await alertOf(playground, order);
    await leap(playground, delay);
    return [await handOverMail(playground, alert)];
  },

  /** The payment hangs at the bank and arrives hours later, when nobody waits for it. */
  hours_late: (playground, order) => payAfter(playground, order, hang),

  /** The bank mails a credit that it never books, so its statement does not list it. */
  false_credit: (playground, order) =>
    pay(playground, order, { reference: newReference(playground.world.clock.now()).slice(0, -3) + falseEnd }),

  /** One payment with two bank mails about it. */
  told_twice: async (playground, order) => {
    const reference = newReference(playground.world.clock.now());
    return [
      ...(await pay(playground, order, { reference })),
      ...(await pay(playground, order, { reference })),
    ];
  },

  /** The bank uses a wording that nobody has confirmed yet. The first three payments wait for the owner. */
  new_wording: (playground, order) => pay(playground, order, { isNewWording: true }),

  /** Two orders' customers give the reference of one payment, whose amount is neither order's. */
  two_claimants: async (playground, order) => {
    const { world, demo } = playground;
    const now = world.clock.now();
    const other = await world.sql<{ order_id: string }[]>`
      select order_id from orders
      where merchant_id = ${demo.merchantId} and order_id <> ${order.order_id} and status = 'pending' and expires_at > ${now}
      order by created_at desc limit 1`.value();
    if (other === null)
      throw new ApiError('invalid_request', {
        fields: { details: 'two customers need two open orders: make a second one first' },
      });
    const reference = newReference(now);
    for (const orderId of [order.order_id, other])
      await enterReference(world, { merchantId: demo.merchantId, orderId, reference, now });
    return await pay(playground, order, { amount: wholeRupees(order), reference });
  },

  /** A customer pays the QR code on the wall: an amount that no order asked for. */
  wall: (playground, order) => pay(playground, order, { amount: paise(wholeRupees(order) + 1_000_00) }),
};

async function pay(playground: Playground, order: PayableOrder, change?: Change): Promise<StoredVerdict[]> {
  return [await handOverMail(playground, await alertOf(playground, order, change))];
}

async function payAfter(playground: Playground, order: PayableOrder, milliseconds: number) {
  const payAt = order.created_at.getTime() + milliseconds;
  await leap(playground, Math.max(0, payAt - playground.world.clock.now().getTime()));
  return await pay(playground, order);
}

/** Pays the first of these amounts that no order holds, so that the payment cannot pay somebody else's order. */
async function payStray(playground: Playground, order: PayableOrder, amounts: readonly number[]) {
  const { sql, clock } = playground.world;
  const stray = await readStrayAmount(sql, order.merchant_id, amounts, clock.now());
  if (stray === null) throw new ApiError('all_payment_slots_busy');
  return await pay(playground, order, { amount: paise(stray) });
}

function wholeRupees({ payable_paise }: PayableOrder): Paise {
  return paise(Math.max(100, payable_paise - (payable_paise % 100)));
}

function sameRupees({ payable_paise }: PayableOrder): Paise[] {
  const rupees = payable_paise - (payable_paise % 100);
  return Array.from({ length: 100 }, (_, paisa) => paise(rupees + paisa)).filter(
    sum => sum > 0 && sum !== payable_paise,
  );
}

function nearMissesOf(order: PayableOrder, kinds: readonly NearMissKind[]): Paise[] {
  return kinds.flatMap(kind => sameRupees(order).filter(sum => nearMissKind(sum, order) === kind));
}

async function leap(playground: Playground, milliseconds: number): Promise<void> {
  if (await moveClock(playground, milliseconds)) return;
  throw new ApiError('invalid_request', {
    fields: { details: "the sandbox's clock cannot go further ahead; reset the sandbox" },
  });
}

type Change = { amount?: Paise; to?: string; reference?: string; isNewWording?: boolean };

async function alertOf({ world, demo, bank }: Playground, order: PayableOrder, change: Change = {}) {
  return await writeAlert(bank, {
    to: (await readMailbox(world.sql, demo.merchantId))?.address ?? demo.mailbox,
    amount: order.payable_paise,
    accountDigits: order.account_digits ?? demo.account_digits,
    reference: newReference(world.clock.now()),
    at: world.clock.now(),
    ...change,
  });
}

/** Numbers a payment as the UPI network does: the last digit of the year, India's day of the year, unique digits. */
export function newReference(at: Date): string {
  const inIndia = later(at, indiaAhead);
  const year = inIndia.getUTCFullYear();
  const number = Math.floor((inIndia.getTime() - Date.UTC(year, 0, 0)) / day);
  const reference = `${year % 10}${String(number).padStart(3, '0')}${randomDigits(8)}`;
  return reference.endsWith(falseEnd) ? newReference(at) : reference;
}

/** References with this end were mailed and never booked; the simulated bank's statement leaves them out. */
export const falseEnd = '000';
