import type { Answer } from './ask-json.ts';

/** The widget's pause: two seconds from request to request, also on a slow connection. */
const interval = 2_000;
const patience = 10_000;
const leastPause = 500;

/**
 * Polls until `heard` returns false or the returned function is called. It asks at once, then repeatedly, and at once
 * when the customer returns from their UPI app or the connection is back. An answer to an older request is dropped.
 */
export function askAgain(
  ask: (signal: AbortSignal) => Promise<Answer>,
  heard: (answer: Answer) => boolean,
): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let question: AbortController | null = null;

  async function run(): Promise<void> {
    clearTimeout(timer);
    question?.abort();
    const mine = new AbortController();
    question = mine;
    const began = performance.now();
    const limit = setTimeout(() => mine.abort(), patience);
    const answer = await ask(mine.signal);
    clearTimeout(limit);
    if (question !== mine) return;
    if (!heard(answer)) return stop();
    const pause = Math.max(interval, answer.retryAfter) - (performance.now() - began);
    timer = setTimeout(run, Math.max(pause, leastPause));
  }

  const wake = () => {
    if (document.visibilityState === 'visible') void run();
  };

  function stop(): void {
    clearTimeout(timer);
    question?.abort();
    question = null;
    document.removeEventListener('visibilitychange', wake);
    removeEventListener('online', wake);
  }

  document.addEventListener('visibilitychange', wake);
  addEventListener('online', wake);
  void run();
  return stop;
}
