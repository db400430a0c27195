import { day, later } from '../../base/clock.ts';

/** A term that a business has, running or to come. */
export type HeldPeriod = {
  order_id: string;
  price_paise: number;
  days: number;
  starts_at: Date;
  ends_at: Date;
  ended_by: string | null;
  /** When its plan goes: its end, or that of its days of grace. */
  lapses_at: Date;
};

type Offer = { price_paise: number; days: number };

/** `takes` are the terms whose unused days it gets, `before` those that wait until it is over. */
export type Reckoned = {
  startsAt: Date;
  endsAt: Date;
  carried: number;
  takes: HeldPeriod[];
  before: HeldPeriod[];
};

/**
 * Where a plan that is bought stands among the terms of its buyer, oldest first. One that is dearer by the day than what
 * runs begins at once, and takes the unused days of all others along. Any other one follows those that are as dear or
 * dearer. In the days of grace it goes on from where the last one ended: they were lent, not given.
 */
export function reckonPeriod(terms: readonly HeldPeriod[], offer: Offer, now: Date, atLeast = 0): Reckoned {
  const unused = terms.filter(({ ends_at }) => ends_at > now);
  const [running] = unused;
  if (!running) {
    const last = terms.at(-1);
    const startsAt = last && last.lapses_at > now && !isDearer(offer, last) ? last.ends_at : now;
    return { startsAt, ...lasting(startsAt, offer, atLeast), takes: [], before: [] };
  }
  const ahead = unused.filter(term => !isDearer(offer, term));
  const last = ahead.at(-1);
  if (last) {
    const before = unused.filter(term => !ahead.includes(term));
    return { startsAt: last.ends_at, ...lasting(last.ends_at, offer, 0), takes: [], before };
  }
  // What an operator ended was given back.
  const paid = unused.filter(term => term.ended_by === null);
  const carried = paid.reduce((days, term) => days + carriedDays(term, offer, now), 0);
  return { startsAt: now, ...lasting(now, offer, Math.max(carried, atLeast)), takes: unused, before: [] };
}

function lasting(startsAt: Date, { days }: Offer, carried: number) {
  return { carried, endsAt: later(startsAt, (days + carried) * day) };
}

function isDearer(one: Offer, other: Offer): boolean {
  return BigInt(one.price_paise) * BigInt(other.days) > BigInt(other.price_paise) * BigInt(one.days);
}

/** A day begun counts as a whole one on both sides of the ratio of daily prices: in the buyer's favour. */
function carriedDays({ price_paise, days, starts_at, ends_at }: HeldPeriod, offer: Offer, now: Date): number {
  const left = Math.ceil((ends_at.getTime() - Math.max(starts_at.getTime(), now.getTime())) / day);
  const worth = BigInt(left) * BigInt(price_paise) * BigInt(offer.days);
  const each = BigInt(days) * BigInt(offer.price_paise);
  return Number((worth + each - 1n) / each);
}
