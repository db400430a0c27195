import { hour, minute, second } from '../../base/clock.ts';

/** The pause after each failed attempt. Five attempts fall before minute 15, when shops begin to reconcile (§1). */
export const retryPauses = [
  5 * second,
  30 * second,
  2 * minute,
  10 * minute,
  30 * minute,
  2 * hour,
  5 * hour,
  10 * hour,
  14 * hour,
  20 * hour,
  24 * hour,
];

/** The step of an attempt that nothing follows. */
export const lastStep = retryPauses.length;

const jitter = 0.1;

/** The pause after a failure at `step`, a tenth longer or shorter: shops that fail together are not retried so. */
export function pauseAfter(step: number, random: () => number = Math.random): number | null {
  const pause = retryPauses[step];
  return pause === undefined ? null : Math.round(pause * (1 - jitter + 2 * jitter * random()));
}
