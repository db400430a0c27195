import { type Clock, day, later } from '../clock.ts';

/** The sandbox's clock runs ahead of the outside's by its lead, and goes forward only; a reset takes the lead back. */
export type SandboxClock = Required<Clock> & {
  leadMs(): number;
  advance(milliseconds: number): void;
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
    leadMs: () => leadMs,
    advance(milliseconds) {
      const lead = leadMs + milliseconds;
      if (!(milliseconds >= 0 && lead <= mostLead))
        throw new Error(`the clock cannot go ${milliseconds} ms on`);
      move(lead);
    },
    reset: () => move(0),
  };
}
