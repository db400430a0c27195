import assert from 'node:assert/strict';
import { hour } from '../../../src/base/clock.ts';
import { Counted } from './counted.ts';
import { attach, isNearMiss, pay, refusalOf } from './credits.ts';
import type { Letter } from './letter.ts';
import { accountDigits, merchantCount, openAmounts, payableRange, smallLimit } from './merchants.ts';
import {
  doubted,
  doubtedLonger,
  hold,
  inWindow,
  late,
  monthInIndia,
  payable,
  statesEarlierDay,
} from './moments.ts';
import type { FoundBy, ModelMail, ModelOrder, Verdict } from './order-and-mail.ts';
import { countsOf, mayBeReportedTwice } from './orderless.ts';
import { Trust } from './trust.ts';

const mostClaims = 3;

/** A run ends within a day, so that "the last order that held this amount" is never too long ago to be named. */
const longestRun = 23 * hour;

const unpaid = {
  ...{ paidAt: null, reference: null, received: null, beside: null, failed: false, intent: false },
  byOrderless: false,
};

const untouched = {
  met: false,
  handled: null,
  givenTo: null,
  foundBy: null,
  notArrived: false,
  isSecond: false,
  takenAt: null,
};

type Written = { letter: Letter; raw: Buffer };

/** Orders, held amounts, and what has been counted. Small enough to be checked by reading. */
export class Model {
  now: number;
  readonly began: number;
  readonly orders: ModelOrder[] = [];
  readonly mails = new Map<string, ModelMail>();
  readonly disabled = new Set<number>();
  /** Businesses on the small plan, and those whose second account was removed. */
  readonly onSmallPlan = new Set<number>();
  readonly withoutSecond = new Set<number>();
  /** Businesses whose owner holds near misses. */
  readonly holdingNearMisses = new Set<number>();
  /** The businesses and accounts whose owner counts payments without an order. */
  readonly counting = new Set<string>();
  readonly trust = new Trust();
  /** Which account takes the orders that name none. */
  readonly defaults: number[] = Array(merchantCount).fill(0);
  /** How often it was compared with the service. */
  looks = 0;
  /** The bank's mails so far, to be delivered again. */
  readonly letters: Written[] = [];
  #nextPlace = 0;
  readonly #heldUntil = new Map<string, number>();
  /** For each amount: the order that holds it or did last, when it becomes clear, and the clear time that earlier orders left. */
  readonly #clear = new Map<string, { order: ModelOrder; at: number; before: number }>();
  readonly counted = new Counted();
  #ids = 0;

  constructor(now: number) {
    this.now = now;
    this.began = now;
  }

  statusOf({ paidAt, createdAt, beside, failed }: ModelOrder) {
    if (paidAt !== null) return 'paid';
    if (beside !== null) return 'manual_review';
    if (failed) return 'failed';
    return this.now >= createdAt + payable ? 'expired' : 'pending';
  }

  /** A merchant_order_id that no order has. */
  newId(): string {
    return `cart ${++this.#ids}`;
  }

  ordersOf(merchant: number): ModelOrder[] {
    return this.orders.filter(order => order.merchant === merchant);
  }

  /** Why a create that is right in itself is refused, or null. */
  refusalOf(merchant: number, account: number): string | null {
    if (this.disabled.has(merchant)) return 'merchant_disabled';
    if (account === 1 && this.withoutSecond.has(merchant)) return 'invalid_payment_account';
    return this.onSmallPlan.has(merchant) && this.collected(merchant) >= smallLimit
      ? 'plan_limit_reached'
      : null;
  }

  /** A business's payments in this calendar month in India, each in the month in which it was first counted. */
  collected(merchant: number): number {
    const month = monthInIndia(this.now);
    const counted = countsOf(this).filter(
      count => count.merchant === merchant && monthInIndia(count.at) === month,
    );
    return counted.reduce((sum, count) => sum + count.paise, 0);
  }

  /**
   * The amounts of which a new order may get one: not what another order was created with while there are others; those
   * never used, else the one that is clear for longest, else soonest. More than ten of each rupee are held here, so
   * that R15 promises nothing. None: busy.
   */
  freeAmounts(merchant: number, amount: number): number[] {
    const every = this.everyFreeAmount(merchant, amount);
    const narrow = every.filter(one => one - amount <= 99);
    const inReach = narrow.length > 0 ? narrow : every;
    const asked = this.ordersOf(merchant).filter(order => order.createdAt + hold > this.now);
    const unasked = inReach.filter(one => !asked.some(order => order.amount === one));
    const free = unasked.length > 0 ? unasked : inReach;
    return lowest(free, one => this.#clear.get(`${merchant}/${one}`)?.at ?? 0);
  }

  everyFreeAmount(merchant: number, amount: number): number[] {
    return openAmounts
      .filter(one => one - amount >= 1 && one - amount <= 299 && one % 100 !== 0)
      .filter(one => !this.#isHeld(merchant, one));
  }

  #isHeld(merchant: number, one: number): boolean {
    if (openAmounts.includes(one)) return (this.#heldUntil.get(`${merchant}/${one}`) ?? 0) > this.now;
    return one >= payableRange.first && one <= payableRange.last;
  }

  addOrder(order: Omit<ModelOrder, 'createdAt' | 'place' | 'claims' | keyof typeof unpaid>): ModelOrder {
    const added = { ...order, createdAt: this.now, place: this.#nextPlace++, ...unpaid, claims: [] };
    this.orders.push(added);
    const amount = `${order.merchant}/${order.payable}`;
    this.#heldUntil.set(amount, this.now + hold);
    const before = this.#clear.get(amount)?.at ?? 0;
    this.#clear.set(amount, { order: added, at: Math.max(before, this.now + doubted), before });
    return added;
  }

  clearPaid(order: ModelOrder): void {
    this.#clearAt(order, order.createdAt + hold);
  }

  #clearAt(order: ModelOrder, moment: number): void {
    const clear = this.#clear.get(`${order.merchant}/${order.payable}`);
    if (clear?.order === order) clear.at = Math.max(clear.before, moment);
  }

  /** A customer says with what they paid. It pays nothing. */
  claim(order: ModelOrder, reference: string): void {
    if (order.paidAt !== null || order.claims.includes(reference) || order.claims.length === mostClaims)
      return;
    order.claims.push(reference);
    if (!order.intent) {
      order.intent = true;
      this.#clearAt(order, order.createdAt + doubtedLonger);
    }
    const mail = this.counted.with(order.merchant, reference);
    if (!mail || mail.isSecond || mail.notArrived || mail.verdict === 'paid') return;
    if (this.#claimants(mail).length > 1) {
      if (mail.handled !== 'attached' || mail.foundBy !== 'reference') return;
      Object.assign(mail.givenTo!, { beside: null, failed: false, received: null });
      mail.handled = 'open';
    } else this.#attachTo(order, mail, 'reference');
  }

  #attachTo(order: ModelOrder, mail: ModelMail, foundBy: FoundBy): void {
    if (order.beside === mail || refusalOf(this.counted, 'attach', mail, order) !== null) return;
    this.counted.add(mail);
    attach(mail, order, foundBy);
  }

  #claimants({ merchant, reference }: ModelMail): ModelOrder[] {
    if (reference === null) return [];
    return this.ordersOf(merchant).filter(
      ({ paidAt, claims }) => paidAt === null && claims.includes(reference),
    );
  }

  /** A mail is stored once, however often the same bytes are found. */
  arrive(mail: Omit<ModelMail, 'orderId' | 'arrivedAt' | 'place' | keyof typeof untouched>): void {
    if (this.mails.has(mail.alertId)) return;
    const place = this.#nextPlace++;
    this.mails.set(mail.alertId, { ...mail, ...untouched, orderId: null, arrivedAt: this.now, place });
  }

  /** A genuine credit meets its order, or learns why not. */
  confirm(alertId: string, at: number): void {
    const mail = this.mails.get(alertId);
    assert.ok(mail, `matching was asked for ${alertId}, which never arrived`);
    mail.met = true;
    if (mail.handled !== null || mail.takenAt !== null) return;
    if (mail.verdict !== 'unjudged' && mail.verdict !== 'no_order') return;
    const isFirst = mail.verdict === 'unjudged';
    const { verdict, order, waits, foundBy = 'exact', taken = false } = this.#meet(mail, at);
    mail.verdict = verdict;
    if (taken) mail.takenAt = at;
    mail.orderId = order?.orderId ?? null;
    // Unmatched mails were reported at the first attempt: a second one holds only an order's exact amount.
    if (waits && (isFirst || foundBy === 'exact')) this.#attachTo(waits, mail, foundBy);
  }

  /** The unpaid orders in whose window it came that a customer may have meant. */
  #nearMisses(mail: ModelMail): ModelOrder[] {
    return this.ordersOf(mail.merchant).filter(
      order =>
        order.paidAt === null &&
        inWindow(mail, order) &&
        mail.digits === accountDigits[order.account] &&
        isNearMiss(mail.amount, order),
    );
  }

  #meet(mail: ModelMail, at: number): Met {
    if (this.counted.isDuplicate(mail)) return { verdict: 'duplicate' };
    const met = this.#find(mail, at);
    if (met.verdict !== 'wrong_account') this.counted.add(mail);
    return met;
  }

  /** The rows of the table from the second on, the first that fits. */
  #find(mail: ModelMail, at: number): Met {
    const same = this.ordersOf(mail.merchant).filter(order => order.payable === mail.amount);
    const inTime = same.filter(one => inWindow(mail, one));
    const [order, ...more] = inTime.filter(one => !one.failed || one.beside !== null || one.paidAt !== null);
    assert.equal(more.length, 0, 'two orders accept the same payment');
    const claimants = this.#claimants(mail);
    if (order) {
      if (!mail.ownBank || mail.digits !== accountDigits[order.account])
        return { verdict: 'wrong_account', order };
      if (order.paidAt !== null) {
        mail.isSecond = true;
        return { verdict: 'extra_payment', order };
      }
      if (
        claimants.some(one => one !== order) ||
        statesEarlierDay(mail, order) ||
        this.trust.waits(mail, order)
      )
        return { verdict: 'no_order', order, waits: order };
      pay(order, mail, at);
      this.clearPaid(order);
      return { verdict: 'paid', order };
    }
    if (!mail.ownBank || !accountDigits.includes(mail.digits)) return { verdict: 'wrong_account' };
    const [claimant, another] = claimants;
    if (claimant && !another) return { verdict: 'no_order', waits: claimant, foundBy: 'reference' };
    if (claimant) return { verdict: 'no_order' };
    const [nearMiss, ...others] = this.#nearMisses(mail);
    if (nearMiss && others.length === 0 && this.holdingNearMisses.has(mail.merchant))
      return nearMiss.failed && nearMiss.beside === null
        ? { verdict: 'no_order' }
        : { verdict: 'no_order', waits: nearMiss, foundBy: 'slip' };
    const over = same.filter(({ createdAt }) => createdAt + payable + late < mail.alertTime).reverse();
    const likeliest =
      over.find(one => one.paidAt === null && one.intent) ?? over.find(one => one.paidAt === null);
    if (likeliest) return { verdict: 'too_late', order: likeliest };
    const paid = over.find(one => one.intent) ?? over[0];
    if (paid) return { verdict: 'extra_payment', order: paid };
    const declined = inTime.findLast(one => one.failed);
    return { verdict: 'no_order', order: declined, taken: !declined && !nearMiss && this.#isOrderless(mail) };
  }

  /** Row 8: its account counts payments without an order and takes orders, and no rule asks a person to look first. */
  #isOrderless(mail: ModelMail): boolean {
    const { merchant } = mail;
    const account = accountDigits.indexOf(mail.digits);
    return (
      this.counting.has(`${merchant}/${account}`) &&
      this.refusalOf(merchant, account) === null &&
      !this.trust.waits(mail, { account }) &&
      !mayBeReportedTwice(this.mails, mail)
    );
  }

  /** Whether time may go on to this moment. */
  mayPassTo(moment: number): boolean {
    return moment > this.now && moment - this.began < longestRun;
  }
}

type Met = {
  verdict: Verdict;
  order?: ModelOrder | undefined;
  /** The order that waits with it. */
  waits?: ModelOrder;
  foundBy?: FoundBy;
  taken?: boolean;
};

function lowest(amounts: readonly number[], of: (amount: number) => number): number[] {
  const least = Math.min(...amounts.map(of));
  return amounts.filter(one => of(one) === least);
}
