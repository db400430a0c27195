import { announcePayments } from './announce-payments.ts';
import { stayOnCounter } from './stay-on-counter.ts';
import { watchSight } from './watch-sight.ts';

/** An amount while it is typed: one dot, at most two digits after it. */
const amountSoFar = /^[\d,]*(?:\.\d{0,2})?$/;
/** A longer one is written smaller. */
const shortAmount = 6;

/**
 * The counter: a keypad, a chime and a voice for each payment, and a screen that stays on. It stays one page for all
 * customers, because leaving it would lose the permission for sound and the full screen.
 */
export function runCounter(): void {
  countDown();
  const counter = document.querySelector<HTMLElement>('[data-counter]');
  const list = counter?.querySelector<HTMLElement>('#counter-live');
  if (!counter || !list) return;
  offerKeypad(counter);
  offerFullScreen(counter);
  keepAwake();
  announcePayments(counter);
  watchSight(counter, list);
  stayOnCounter(counter);
}

function offerKeypad(counter: HTMLElement): void {
  counter.addEventListener('click', event => {
    const { key, sum } =
      (event.target as HTMLElement).closest<HTMLElement>('[data-key], [data-sum]')?.dataset ?? {};
    const amount = counter.querySelector<HTMLInputElement>('#amount');
    if (!amount || (key === undefined && sum === undefined)) return;
    const next = sum ?? (key === '⌫' ? amount.value.slice(0, -1) : amount.value + key);
    if (key === '⌫' || (amountSoFar.test(next) && next.length <= amount.maxLength)) amount.value = next;
    amount.dispatchEvent(new Event('input', { bubbles: true }));
  });
  counter.addEventListener('input', event => {
    const { target } = event;
    if (target instanceof HTMLInputElement && target.id === 'amount')
      target.parentElement?.classList.toggle('long', target.value.length > shortAmount);
  });
}

/** Times left go on between two answers of the server, by elapsed time: the phone's own clock may be wrong. */
function countDown(): void {
  const seen = new WeakMap<Element, number>();
  setInterval(() => {
    for (const part of document.querySelectorAll<HTMLElement>('[data-left]')) {
      const since = seen.get(part) ?? performance.now();
      seen.set(part, since);
      const left = Math.max(0, Number(part.dataset['left']) - (performance.now() - since));
      const seconds = Math.ceil(left / 1000);
      if (part instanceof HTMLProgressElement) {
        part.value = left;
        // Without a connection no server reports the expiry, but the QR code must go anyway.
        if (left === 0) document.querySelector('.counter-qr')?.classList.add('over');
      } else part.textContent = `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`;
    }
  }, 500);
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
