import { day } from '../../../../src/base/clock.ts';

export const planNames = ['silver', 'gold', 'platinum'] as const;
export type PlanName = (typeof planNames)[number];

/** Paise and days, as `testPlans` of the stage has them. */
const offers: Record<PlanName, { price: number; days: number }> = {
  silver: { price: 300_00, days: 30 },
  gold: { price: 600_00, days: 30 },
  platinum: { price: 900_00, days: 20 },
};
const perDay = (plan: PlanName) => offers[plan].price / offers[plan].days;

export type Sale = {
  order: string;
  plan: PlanName;
  payable: number;
  amount: number;
  carried: number;
  /** How many changes its buyer's terms had had when it was pressed. */
  after: number;
  /** `waits`: another sum came, and nobody has accepted it. */
  state: 'open' | 'waits' | 'paid' | 'given';
  alert: string | null;
};

type PlanPeriod = { order: string; plan: PlanName; start: number; end: number; begun: boolean; cut: boolean };

/** One buyer's terms, as a person with a calendar would keep them. */
export class PlanModel {
  now: number;
  plan = 'standard';
  periods: PlanPeriod[] = [];
  readonly all: PlanPeriod[] = [];
  readonly sales: Sale[] = [];
  /** Paid and not given yet, in the order of their payments. */
  queue: Sale[] = [];
  changes = 0;
  given = 0;

  constructor(now: number) {
    this.now = now;
  }

  /** How many days would be carried over if this were bought now. */
  carried(plan: PlanName): number {
    const left = this.periods.filter(period => period.end > this.now);
    if (left.length === 0 || left.some(period => perDay(period.plan) >= perDay(plan))) return 0;
    return left
      .filter(period => !period.cut)
      .map(period => Math.ceil((period.end - Math.max(period.start, this.now)) / day))
      .map((days, at) =>
        Math.ceil((days * perDay(left.filter(period => !period.cut)[at]!.plan)) / perDay(plan)),
      )
      .reduce((sum, days) => sum + days, 0);
  }

  /** A week, once in 90 days: none soon after a day on which something ended and nothing followed. */
  #grace(period: PlanPeriod): number {
    const ranOut = this.all.some(
      one =>
        !one.cut &&
        one.end < period.start &&
        one.end > period.end - 90 * day &&
        !this.all.some(next => next.start <= one.end && next.end > one.end),
    );
    return period.cut || ranOut ? 0 : 7 * day;
  }

  /** The worker's round: first what was paid, then what the clock brings. */
  work(): void {
    for (const sale of this.queue.splice(0)) this.#give(sale);
    this.#keep();
  }

  #give(sale: Sale): void {
    const { plan, order } = sale;
    const { days } = offers[plan];
    const promised = sale.after === this.changes ? sale.carried : 0;
    const left = this.periods.filter(period => period.end > this.now);
    const ahead = left.filter(period => perDay(period.plan) >= perDay(plan));
    const last = this.periods.at(-1);
    const carried = Math.max(this.carried(plan), ahead.length === 0 ? promised : 0);
    const length = (days + carried) * day;
    const goesOn =
      left.length === 0 &&
      last &&
      last.end + this.#grace(last) > this.now &&
      perDay(last.plan) >= perDay(plan);
    const start = goesOn ? last.end : (ahead.at(-1)?.end ?? this.now);
    const period = { order, plan, start, end: start + length, begun: ahead.length === 0, cut: false };
    this.all.push(period);
    if (ahead.length === 0) {
      for (const one of left)
        Object.assign(one, { start: Math.min(one.start, this.now), end: this.now, cut: true });
      this.periods = [period];
      this.plan = plan;
    } else {
      const past = this.periods.filter(one => one.end <= this.now);
      const behind = left.filter(one => !ahead.includes(one));
      for (const one of behind) Object.assign(one, { start: one.start + length, end: one.end + length });
      this.periods = [...past, ...ahead, period, ...behind];
    }
    sale.state = 'given';
    this.given++;
    this.changes++;
  }

  #keep(): void {
    this.periods.forEach((period, at) => {
      if (period.begun || period.start > this.now) return;
      period.begun = true;
      const before = this.periods[at - 1];
      if (!before || this.plan === before.plan) this.plan = period.plan;
    });
    this.periods = this.periods.filter((_, at) => !this.periods[at + 1]?.begun);
    const last = this.periods.at(-1);
    if (this.periods.length !== 1 || !last || last.end + this.#grace(last) > this.now) return;
    if (this.plan === last.plan) this.plan = 'standard';
    this.periods = [];
  }

  /** Whether the operator may end the plan period of this order so many days from now; does it. */
  end(at: number, moment: number): boolean {
    const period = this.periods[at];
    if (!period || moment > period.end || period.end <= this.now) return false;
    const end = Math.max(moment, period.start, period.begun ? this.now : 0);
    const sooner = period.end - end;
    for (const next of this.periods.slice(at + 1))
      Object.assign(next, { start: next.start - sooner, end: next.end - sooner });
    Object.assign(period, { end, cut: true });
    if (!period.begun && end === period.start) this.periods.splice(at, 1);
    this.changes++;
    this.#keep();
    return true;
  }
}
