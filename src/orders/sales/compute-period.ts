import { day, later } from '../../base/clock.ts';

export type PeriodRow = {
  order_id: string;
  price_paise: number;
  days: number;
  starts_at: Date;
  ends_at: Date;
  ended_by: string | null;
  /** When its plan is removed: at its end, or at the end of its days of grace. */
  lapses_at: Date;
};

type Offer = { price_paise: number; days: number };

/** `takes`: periods whose unused days it gets. `delayed`: cheaper periods that it delays by its own length. */
export type NewPeriod = {
  startsAt: Date;
  endsAt: Date;
  carried: number;
  takes: PeriodRow[];
  delayed: PeriodRow[];
};

/**
 * Decides when a bought plan starts among its buyer's periods, oldest first. A plan with a higher daily price than the
 * current one starts at once, and takes the unused days of all others. Any other plan follows the periods that cost as
 * much or more. A renewal in the days of grace starts at the previous end, because the buyer had the plan in those days.
 */
export function computePeriod(owned: readonly PeriodRow[], offer: Offer, now: Date, atLeast = 0): NewPeriod {
  const unused = owned.filter(({ ends_at }) => ends_at > now);
  const [running] = unused;
  if (!running) {
    const last = owned.at(-1);
    const startsAt = last && last.lapses_at > now && !isDearer(offer, last) ? last.ends_at : now;
    return { startsAt, ...lasting(startsAt, offer, atLeast), takes: [], delayed: [] };
  }
  const ahead = unused.filter(period => !isDearer(offer, period));
  const last = ahead.at(-1);
  if (last) {
    const delayed = unused.filter(period => !ahead.includes(period));
    return { startsAt: last.ends_at, ...lasting(last.ends_at, offer, 0), takes: [], delayed };
  }
  // The money for a period that an operator ended was refunded.
  const paid = unused.filter(period => period.ended_by === null);
  const carried = paid.reduce((days, period) => days + carriedDays(period, offer, now), 0);
  return { startsAt: now, ...lasting(now, offer, Math.max(carried, atLeast)), takes: unused, delayed: [] };
}

function lasting(startsAt: Date, { days }: Offer, carried: number) {
  return { carried, endsAt: later(startsAt, (days + carried) * day) };
}

function isDearer(one: Offer, other: Offer): boolean {
  return BigInt(one.price_paise) * BigInt(other.days) > BigInt(other.price_paise) * BigInt(one.days);
}

/** A day that has begun counts as a whole day on both sides of the price ratio, in the buyer's favour. */
function carriedDays({ price_paise, days, starts_at, ends_at }: PeriodRow, offer: Offer, now: Date): number {
  const left = Math.ceil((ends_at.getTime() - Math.max(starts_at.getTime(), now.getTime())) / day);
  const worth = BigInt(left) * BigInt(price_paise) * BigInt(offer.days);
  const each = BigInt(days) * BigInt(offer.price_paise);
  return Number((worth + each - 1n) / each);
}
