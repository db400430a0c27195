import { type Clock, later } from '../clock.ts';

/**
 * While it is not known whether our clock or all others are right, the later time: a mail is then never refused as
 * signed in the future, nor for having come before its order. Which order it pays the bank's time decides.
 */
export function arrivalTime({ jump = 0 }: Clock, now: Date): Date {
  return later(now, Math.max(jump, 0));
}
