import { type Clock, day, later } from '../base/clock.ts';

/** The sandbox's clock runs ahead of the real one by its lead. It only goes forward; a reset sets the lead to zero. */
export type SandboxClock = Clock &
  Required<Pick<Clock, 'outside'>> & {
    leadMs(): number;
    /** Returns false and moves nothing if the lead would exceed `mostLead`. */
    advance(milliseconds: number): boolean;
    reset(): void;
  };

/** Ten years: enough for every window and retry, and every date stays valid. */
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
