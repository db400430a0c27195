import { hour, minute, second } from '../../../src/base/clock.ts';
import type { ModelMail, ModelOrder } from './order-and-mail.ts';

/** The promises in numbers, written from the specification and not taken from the code. */
export const payable = 5 * minute;
export const late = 10 * minute;
const early = 60 * second;
export const hold = payable + late + 2 * minute;
/** An amount whose order ended unpaid is given away again a day later at the earliest, two where its customer meant to pay. */
export const [doubted, doubtedLonger] = [24 * hour, 48 * hour];

/** The letters of the model either tell of no day, or of the one before all orders of a history. */
export function statesEarlierDay({ reference, statedDay }: ModelMail, { createdAt }: ModelOrder): boolean {
  if (reference === null || statedDay === undefined) return false;
  const apart = dayInIndia(createdAt - early) - statedDay;
  return apart >= 1 && apart <= 3;
}

export function dayInIndia(time: number): number {
  return Math.floor((time + 5.5 * hour) / (24 * hour));
}

export function inWindow(mail: ModelMail, { createdAt, place }: ModelOrder): boolean {
  return (
    mail.alertTime >= createdAt - early && mail.place > place && mail.alertTime <= createdAt + payable + late
  );
}

export function monthInIndia(time: number): string {
  return new Date(time + 5.5 * hour).toISOString().slice(0, 7);
}

/** Moments of an order at which a rule changes. */
export function momentsOf({ createdAt }: ModelOrder) {
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

export type Moment = keyof ReturnType<typeof momentsOf>;
