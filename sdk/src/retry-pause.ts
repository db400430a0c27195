import type { MilaanError } from './milaan-error.ts';

export type RetryRules = {
  /** How often a failed call is retried. */
  retries: number;
  /** The longest pause before a retry. A longer Retry-After is reported instead of waited for. */
  longestPauseMs: number;
};

const firstPause = 250;
/** These statuses are temporary, or say nothing about the call. Every call may be repeated. */
const passing = new Set([408, 429, 502, 503, 504]);

/**
 * Milliseconds until the next attempt, or null if there is none. All three calls are safe to repeat: two only read, and
 * a repeated create finds the first one's order by its merchant_order_id.
 */
export function retryPause(
  error: MilaanError,
  rules: RetryRules,
  random: () => number = Math.random,
): number | null {
  if (error.attempts > rules.retries || !isPassing(error)) return null;
  if (error.retryAfter !== null) {
    const asked = error.retryAfter * 1000;
    // A random delay on top, so that clients refused together do not return together.
    return asked <= rules.longestPauseMs ? asked + firstPause * random() : null;
  }
  const ceiling = Math.min(rules.longestPauseMs, firstPause * 2 ** error.attempts);
  return ceiling * (0.5 + 0.5 * random());
}

function isPassing({ code, status }: MilaanError): boolean {
  return code === 'network_error' || code === 'timeout' || (status !== null && passing.has(status));
}
