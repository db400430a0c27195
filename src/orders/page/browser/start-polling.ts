import type { Answer } from './ask-json.ts';

/** §8: every two seconds, counted from question to question. */
const interval = 2_000;
/** An answer that takes longer than this is lost. */
const patience = 10_000;
/** On a slow connection the next question never follows at once. */
const leastPause = 500;

/**
 * Asks again until `heard` returns false. After a sleep, a hidden tab or a lost connection it asks at once: the
 * customer returns from the UPI app and wants the result. An answer to an older question is dropped.
 */
export function startPolling(
  ask: (signal: AbortSignal) => Promise<Answer>,
  heard: (answer: Answer) => boolean,
) {
  let timer = 0;
  let question: AbortController | null = null;
  let stopped = false;

  async function run(): Promise<void> {
    clearTimeout(timer);
    question?.abort();
    const mine = new AbortController();
    question = mine;
    const began = performance.now();
    const limit = setTimeout(() => mine.abort(), patience);
    const answer = await ask(mine.signal);
    clearTimeout(limit);
    if (stopped || question !== mine) return;
    if (!heard(answer)) return stop();
    const pause = Math.max(interval, answer.retryAfter) - (performance.now() - began);
    timer = setTimeout(run, Math.max(pause, leastPause));
  }

  function wake(): void {
    if (!stopped && document.visibilityState === 'visible') void run();
  }

  function stop(): void {
    stopped = true;
    clearTimeout(timer);
    question?.abort();
    document.removeEventListener('visibilitychange', wake);
    removeEventListener('online', wake);
    removeEventListener('pageshow', wakeIfRestored);
  }

  /** The first display is no return, but one from the browser's own cache is. */
  function wakeIfRestored(event: PageTransitionEvent): void {
    if (event.persisted) wake();
  }

  document.addEventListener('visibilitychange', wake);
  addEventListener('online', wake);
  addEventListener('pageshow', wakeIfRestored);
  timer = setTimeout(run, interval);
  return {
    /** Asks at once, because there is something to see. */
    ask: () => void (stopped || run()),
    stop,
  };
}
