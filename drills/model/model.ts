import assert from 'node:assert/strict';
import { hour, minute, second } from '../../src/base/clock.ts';
import { attach, isSlip, pay } from './deciding.ts';
import type { Letter } from './letter.ts';
import type { ModelMail, ModelOrder, Verdict } from './order-and-mail.ts';

/** The promises in numbers, written from the specification and not taken from the code. */
const payable = 5 * minute;
const late = 10 * minute;
const early = 60 * second;
const hold = payable + late + 2 * minute;

/**
 * All that a business has to offer here, the last one only as a wide offset, and whole rupees never; every other amount
 * is held for good. One of them is what another order may be created with.
 */
export const openAmounts = [500_20, 500_70, 500_81, 500_86, 501_00, 502_10];
export const baseAmounts = [500_00, 500_30, 500_70];
export const reach = { first: Math.min(...baseAmounts) + 1, last: Math.max(...baseAmounts) + 299 };
/** The digits of each business's accounts; the first is the default one. */
export const accountDigits = ['4321', '8765'];
export const businessCount = 2;
/** What a business may collect in a month while it is on the small plan: one payment reaches it. */
export const smallLimit = 500_00;

/** A run ends within a day, so that "the last order that held this amount" is never too long ago to be named. */
const longestRun = 23 * hour;

const unpaid = { paidAt: null, reference: null, received: null, beside: null, failed: false };

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
  readonly holding = new Set<number>();
  /** Which account takes the orders that name none. */
  readonly defaults: number[] = Array(businessCount).fill(0);
  /** How often it was compared with the service. */
  looks = 0;
  /** What the bank wrote so far, to be delivered again. */
  readonly letters: Written[] = [];
  #nextPlace = 0;
  readonly #heldUntil = new Map<string, number>();
  readonly #signatures = new Map<string, ModelMail>();
  readonly #references = new Map<string, ModelMail>();

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

  ordersOf(business: number): ModelOrder[] {
    return this.orders.filter(order => order.business === business);
  }

  /** Why a create that is right in itself is refused, or null. */
  refusalOf(business: number, account: number): string | null {
    if (this.disabled.has(business)) return 'merchant_disabled';
    if (account === 1 && this.withoutSecond.has(business)) return 'invalid_payment_account';
    return this.onSmallPlan.has(business) && this.collected(business) >= smallLimit
      ? 'plan_limit_reached'
      : null;
  }

  /** What a business was paid in this calendar month, in India. */
  collected(business: number): number {
    const month = monthInIndia(this.now);
    const paid = this.ordersOf(business).filter(
      ({ paidAt }) => paidAt !== null && monthInIndia(paidAt) === month,
    );
    return paid.reduce((sum, order) => sum + order.received!, 0);
  }

  /**
   * The amounts of which a new order may get one: not what another order was created with while there are others; those
   * that share the fewest digits with held ones; those never used, else those used longest ago. None: busy.
   */
  freeAmounts(business: number, amount: number): number[] {
    const every = this.everyFreeAmount(business, amount);
    const narrow = every.filter(one => one - amount <= 99);
    const inReach = narrow.length > 0 ? narrow : every;
    const asked = this.ordersOf(business).filter(order => order.createdAt + hold > this.now);
    const unasked = inReach.filter(one => !asked.some(order => order.amount === one));
    const free = lowest(unasked.length > 0 ? unasked : inReach, one => this.#clashes(business, one));
    return lowest(free, one => this.#heldUntil.get(`${business}/${one}`) ?? 0);
  }

  everyFreeAmount(business: number, amount: number): number[] {
    return openAmounts
      .filter(one => one - amount >= 1 && one - amount <= 299 && one % 100 !== 0)
      .filter(one => !this.#isHeld(business, one));
  }

  #isHeld(business: number, one: number): boolean {
    if (openAmounts.includes(one)) return (this.#heldUntil.get(`${business}/${one}`) ?? 0) > this.now;
    return one >= reach.first && one <= reach.last;
  }

  /** R15: held amounts of the same rupee that share a digit; where as many do, digits swapped are worse than not. */
  #clashes(business: number, one: number): number {
    const rupee = one - (one % 100);
    const [tens, units] = [Math.floor((one % 100) / 10), one % 10];
    const line = Array.from({ length: 10 }, (_, digit) => digit);
    const sharing = [...line.map(digit => tens * 10 + digit), ...line.map(digit => digit * 10 + units)];
    const shared = sharing.filter(place => this.#isHeld(business, rupee + place)).length;
    return shared + (this.#isHeld(business, rupee + units * 10 + tens) ? 0.5 : 0);
  }

  addOrder(order: Omit<ModelOrder, 'createdAt' | 'place' | keyof typeof unpaid>): ModelOrder {
    const added = { ...order, createdAt: this.now, place: this.#nextPlace++, ...unpaid };
    this.orders.push(added);
    this.#heldUntil.set(`${order.business}/${order.payable}`, this.now + hold);
    return added;
  }

  /** A mail is stored once, however often the same bytes are found. */
  arrive(mail: Omit<ModelMail, 'orderId' | 'arrivedAt' | 'place' | 'met' | 'handled' | 'givenTo'>): void {
    if (this.mails.has(mail.alertId)) return;
    const place = this.#nextPlace++;
    const fresh = { orderId: null, arrivedAt: this.now, place, met: false, handled: null, givenTo: null };
    this.mails.set(mail.alertId, { ...mail, ...fresh });
  }

  /** A genuine credit meets its order, or learns why not. */
  confirm(alertId: string, at: number): void {
    const mail = this.mails.get(alertId);
    assert.ok(mail, `matching was asked for ${alertId}, which never arrived`);
    mail.met = true;
    if (mail.handled !== null) return;
    if (mail.verdict !== 'unjudged' && mail.verdict !== 'no_order') return;
    const isFirst = mail.verdict === 'unjudged';
    const { verdict, order } = this.#meet(mail, at);
    mail.verdict = verdict;
    mail.orderId = order?.orderId ?? null;
    const meant =
      isFirst && verdict === 'no_order' && this.holding.has(mail.business) ? this.onlySlip(mail) : null;
    if (meant) attach(mail, meant);
  }

  /** The one unpaid order in whose window it came that a customer may have meant, if nothing has become of that one. */
  onlySlip(mail: ModelMail): ModelOrder | null {
    const slips = this.ordersOf(mail.business).filter(
      order =>
        order.paidAt === null &&
        inWindow(mail, order) &&
        mail.digits === accountDigits[order.account] &&
        isSlip(mail.amount, order),
    );
    const [only, ...more] = slips;
    return only && more.length === 0 && only.beside === null && !only.failed ? only : null;
  }

  /** R2: whether the mail's signature still counts for it. */
  countsFor(mail: ModelMail): boolean {
    return this.#signatures.get(mail.signature) === mail;
  }

  #meet(mail: ModelMail, at: number): { verdict: Verdict; order?: ModelOrder | undefined } {
    if (this.#isCounted(mail)) return { verdict: 'duplicate' };
    const met = this.#find(mail, at);
    if (met.verdict !== 'wrong_account') this.#count(mail);
    return met;
  }

  #find(mail: ModelMail, at: number): { verdict: Verdict; order?: ModelOrder | undefined } {
    const same = this.ordersOf(mail.business).filter(order => order.payable === mail.amount);
    const [order, ...more] = same.filter(
      one => inWindow(mail, one) && (!one.failed || one.beside !== null || one.paidAt !== null),
    );
    assert.equal(more.length, 0, 'two orders accept the same payment');
    if (order) {
      if (!mail.ownBank || mail.digits !== accountDigits[order.account])
        return { verdict: 'wrong_account', order };
      if (order.paidAt !== null) return { verdict: 'extra_payment', order };
      pay(order, mail, at);
      return { verdict: 'paid', order };
    }
    if (!mail.ownBank || !accountDigits.includes(mail.digits)) return { verdict: 'wrong_account' };
    const missed = same.findLast(({ createdAt }) => createdAt + payable + late < mail.alertTime);
    if (!missed) return { verdict: 'no_order' };
    return { verdict: missed.paidAt === null ? 'too_late' : 'extra_payment', order: missed };
  }

  /**
   * A signature counts once in the whole installation; only where it met nobody may its copy in another business's
   * mailbox still find its order. A reference counts once per business. Neither a duplicate nor foreign money counts.
   */
  #isCounted(mail: ModelMail): boolean {
    const settled = ['paid', 'extra_payment', 'too_late'];
    const counted = this.#signatures.get(mail.signature) ?? mail;
    const isFree = counted.handled === null && !settled.includes(counted.verdict);
    const elsewhere = counted.business !== mail.business && isFree;
    if (counted !== mail && !elsewhere) return true;
    return mail.reference !== null && (this.#references.get(numberOf(mail)) ?? mail) !== mail;
  }

  #count(mail: ModelMail): void {
    this.#signatures.set(mail.signature, mail);
    if (mail.reference !== null) this.#references.set(numberOf(mail), mail);
  }

  /** Whether time may go on to this moment. */
  mayPassTo(moment: number): boolean {
    return moment > this.now && moment - this.began < longestRun;
  }

  /** Moments of an order at which a rule changes. */
  static moments({ createdAt }: ModelOrder) {
    const expiry = createdAt + payable;
    return {
      'too early': createdAt - early - second,
      'just early': createdAt - early,
      created: createdAt,
      'last second': expiry - second,
      expiry,
      'last late': expiry + late,
      'too late': expiry + late + second,
      'still held': createdAt + hold - second,
      free: createdAt + hold,
    };
  }
}

export type Moment = keyof ReturnType<typeof Model.moments>;

function inWindow(mail: ModelMail, { createdAt, place }: ModelOrder): boolean {
  return (
    mail.alertTime >= createdAt - early && mail.place > place && mail.alertTime <= createdAt + payable + late
  );
}

function numberOf(mail: ModelMail): string {
  return `${mail.business}/${mail.reference}`;
}

function lowest(amounts: readonly number[], of: (amount: number) => number): number[] {
  const least = Math.min(...amounts.map(of));
  return amounts.filter(one => of(one) === least);
}

function monthInIndia(time: number): string {
  return new Date(time + 5.5 * hour).toISOString().slice(0, 7);
}
