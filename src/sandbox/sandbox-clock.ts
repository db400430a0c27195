import { type Clock, day, later } from '../base/clock.ts';

/** The sandbox's clock runs ahead of the outside's by its lead, and goes forward only; a reset takes the lead back. */
export type SandboxClock = Clock &
  Required<Pick<Clock, 'outside'>> & {
    leadMs(): number;
    /** False, and nothing moves, when the lead would become longer than `mostLead`. */
    advance(milliseconds: number): boolean;
    reset(): void;
  };

/** Ten years: far enough for every window and retry, near enough for every date to stay a date. */
export const mostLead = 3650 * day;

export function sandboxClock(
  outside: Clock,
  { leadMs: start, keep }: { leadMs: number; keep(leadMs: number): void },
): SandboxClock {
  let leadMs = start;
  const move = (lead: number) => {
    keep(lead);
    leadMs = lead;
  };
  return {
    now: () => later(outside.now(), leadMs),
    outside: () => outside.now(),
    ...(outside.inDoubt && { inDoubt: outside.inDoubt }),
    ...(outside.compare && { compare: outside.compare }),
    leadMs: () => leadMs,
    advance(milliseconds) {
      if (!(milliseconds >= 0)) throw new Error('the clock goes forward only');
      if (leadMs + milliseconds > mostLead) return false;
      move(leadMs + milliseconds);
      return true;
    },
    reset: () => move(0),
  };
}
