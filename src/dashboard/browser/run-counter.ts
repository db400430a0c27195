import { announcePayments } from './announce-payments.ts';
import { sayTimes } from './say-times.ts';

type WakeLocks = { request(kind: 'screen'): Promise<unknown> };

const home = '/dashboard/counter';
const greenFor = 8_000;
const retryAfter = 2_000;
/** An amount as far as it is typed: one dot, two places behind it. */
const amountSoFar = /^[\d,]*(?:\.\d{0,2})?$/;

/**
 * The counter by the till: a keypad, a chime and a voice for each payment, and a screen that stays awake. From customer
 * to customer it stays one page, since a page that is left loses its leave to make a sound, and the full screen.
 */
export function runCounter(): void {
  const counter = document.querySelector<HTMLElement>('[data-counter]');
  if (!counter) return;
  offerKeypad(counter);
  offerFullScreen(counter);
  keepAwake();
  announcePayments(counter);
  stayOnPage(counter);
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

/** The lock ends whenever the page is out of sight, so it is asked for again each time it is back. */
function keepAwake(): void {
  const locks = (navigator as unknown as { wakeLock?: WakeLocks }).wakeLock;
  const ask = () => {
    if (document.visibilityState === 'visible') locks?.request('screen').catch(() => {});
  };
  ask();
  document.addEventListener('visibilitychange', ask);
}

function stayOnPage(counter: HTMLElement): void {
  const outcome = counter.querySelector<HTMLElement>('[data-outcome]');
  const pay = counter.querySelector<HTMLElement>('[data-pay]');
  const list = counter.querySelector<HTMLElement>('#counter-live');
  if (!outcome || !pay || !list) return;
  let timer = 0;
  let turns = 0;

  /** What came of the payment stands alone for a while; the keypad waits behind it. */
  const settle = () => {
    const keypad = pay.querySelector<HTMLElement>('[data-keypad]');
    if (keypad) keypad.hidden = false;
    clearTimeout(timer);
    const status = outcome.dataset['outcome'] ?? '';
    pay.hidden = status !== '';
    if (status === 'paid') timer = setTimeout(nextCustomer, greenFor);
  };
  const nextCustomer = () => {
    turns += 1;
    outcome.replaceChildren();
    outcome.dataset['outcome'] = '';
    list.dataset['live'] = `${home}/live?order=`;
    history.replaceState(null, '', home);
    settle();
  };

  /** False where the answer is no counter, such as after the session is over, or where a later turn overtook it. */
  const turnTo = async (address: string, body?: URLSearchParams): Promise<boolean> => {
    turns += 1;
    const turn = turns;
    const answer = await fetch(address, body ? { method: 'POST', body } : {});
    const fresh = new DOMParser().parseFromString(await answer.text(), 'text/html');
    if (turn !== turns) return true;
    const [newOutcome, newPay, newList] = ['[data-outcome]', '[data-pay]', '#counter-live'].map(part =>
      fresh.querySelector<HTMLElement>(part),
    );
    if (!newOutcome || !newPay || !newList) return false;
    sayTimes(fresh);
    outcome.dataset['outcome'] = newOutcome.dataset['outcome'] ?? '';
    outcome.replaceChildren(...newOutcome.childNodes);
    pay.replaceChildren(...newPay.childNodes);
    list.dataset['live'] = newList.dataset['live'] ?? '';
    history.replaceState(null, '', answer.url);
    settle();
    for (const scrolled of [document.documentElement, counter]) scrolled.scrollTop = 0;
    return true;
  };

  list.addEventListener('over', event => {
    event.preventDefault();
    const { over = '', status } = (event as CustomEvent<DOMStringMap>).detail;
    const awaited = list.dataset['live'];
    const show = () => {
      if (list.dataset['live'] !== awaited || outcome.dataset['outcome'] === status) return;
      turnTo(over).then(
        isCounter => isCounter || location.replace(over),
        () => setTimeout(show, retryAfter),
      );
    };
    show();
  });
  let isSending = false;
  pay.addEventListener('submit', event => {
    const form = event.target as HTMLFormElement;
    // Once more in the browser's own way: it shows the sign-in, or that there is no line.
    if (form.dataset['plainly'] !== undefined) return;
    event.preventDefault();
    if (isSending) return;
    isSending = true;
    const fields = [...new FormData(form)].map(([name, value]) => [name, String(value)]);
    void turnTo(form.action, new URLSearchParams(fields))
      .catch(() => false)
      .then(isCounter => {
        isSending = false;
        if (isCounter) return;
        form.dataset['plainly'] = '';
        form.requestSubmit();
      });
  });
  pay.addEventListener('click', event => {
    const link = (event.target as HTMLElement).closest<HTMLAnchorElement>(`a[href="${home}"]`);
    if (!link || event.ctrlKey || event.metaKey) return;
    event.preventDefault();
    turnTo(home)
      .catch(() => false)
      .then(isCounter => isCounter || location.assign(home));
  });
  // The next customer is already there: any touch, and any key, which is the first of the next amount.
  addEventListener('click', () => outcome.dataset['outcome'] !== '' && nextCustomer());
  addEventListener('keydown', event => {
    if (outcome.dataset['outcome'] === '' || event.ctrlKey || event.metaKey || event.altKey) return;
    nextCustomer();
    pay.querySelector<HTMLInputElement>('#amount')?.focus();
  });
  settle();
}
