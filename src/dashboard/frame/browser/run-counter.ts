import { announcePayments } from './announce-payments.ts';
import { stayOnCounter } from './stay-on-counter.ts';

/** An amount while it is typed: one dot, at most two digits after it. */
const amountSoFar = /^[\d,]*(?:\.\d{0,2})?$/;

/**
 * The counter: a keypad, a chime and a voice for each payment, and a screen that stays on. It stays one page for all
 * customers, because leaving it would lose the permission for sound and the full screen.
 */
export function runCounter(): void {
  const counter = document.querySelector<HTMLElement>('[data-counter]');
  if (!counter) return;
  offerKeypad(counter);
  offerFullScreen(counter);
  keepAwake();
  announcePayments(counter);
  stayOnCounter(counter);
}

function offerKeypad(counter: HTMLElement): void {
  counter.addEventListener('click', event => {
    const key = (event.target as HTMLElement).dataset['key'];
    const amount = counter.querySelector<HTMLInputElement>('#amount');
    if (key === undefined || !amount) return;
    const next = key === '⌫' ? amount.value.slice(0, -1) : amount.value + key;
    if (key === '⌫' || (amountSoFar.test(next) && next.length <= amount.maxLength)) amount.value = next;
  });
}

function offerFullScreen(counter: HTMLElement): void {
  const button = counter.querySelector<HTMLButtonElement>('[data-fullscreen]');
  if (!button || !document.fullscreenEnabled) return;
  button.hidden = false;
  button.addEventListener('click', () => {
    void (document.fullscreenElement ? document.exitFullscreen() : counter.requestFullscreen());
  });
}

type WakeLocks = { request(kind: 'screen'): Promise<EventTarget> };

/** The lock ends when the page is hidden, so it is requested again each time the page is visible. */
export function keepAwake(report: (isAwake: boolean) => void = () => {}): void {
  const locks = (navigator as unknown as { wakeLock?: WakeLocks }).wakeLock;
  const ask = () => {
    if (document.visibilityState !== 'visible') return;
    if (!locks) return report(false);
    locks.request('screen').then(
      lock => {
        report(true);
        lock.addEventListener('release', () => setTimeout(ask, 1_000));
      },
      () => report(false),
    );
  };
  ask();
  document.addEventListener('visibilitychange', ask);
}
