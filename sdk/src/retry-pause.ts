import type { MilaanError } from './milaan-error.ts';

export type RetryRules = {
  /** How often a failed call is tried again. */
  retries: number;
  /** The longest pause before another try. A longer Retry-After is reported instead of waited for. */
  longestPauseMs: number;
};

const firstPause = 250;
/** Of these the service says that they pass, or nothing is known about the call; every call may be repeated. */
const passing = new Set([408, 429, 502, 503, 504]);

/**
 * Milliseconds until a failed call may be tried again, or null when it may not. All three calls are safe to repeat:
 * two only read, and a create with the same merchant_order_id finds the order that the first one made.
 */
export function retryPause(
  error: MilaanError,
  rules: RetryRules,
  random: () => number = Math.random,
): number | null {
  if (error.attempts > rules.retries || !isPassing(error)) return null;
  if (error.retryAfter !== null) {
    const asked = error.retryAfter * 1000;
    // A little later than asked, each client differently: those refused together must not return together.
    return asked <= rules.longestPauseMs ? asked + firstPause * random() : null;
  }
  const ceiling = Math.min(rules.longestPauseMs, firstPause * 2 ** error.attempts);
  return ceiling * (0.5 + 0.5 * random());
}

function isPassing({ code, status }: MilaanError): boolean {
  return code === 'network_error' || code === 'timeout' || (status !== null && passing.has(status));
}
