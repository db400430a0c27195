import { dispatch, sayTimes } from './keep-live.ts';
import { isCutOff } from './watch-sight.ts';

const home = '/dashboard/counter';
const greenFor = 8_000;
const retryAfter = 2_000;

type Parts = { outcome: HTMLElement; pay: HTMLElement; list: HTMLElement; strip: HTMLElement };
type Turned = 'counter' | 'signed out' | 'elsewhere' | 'lost';
type Counter = Parts & {
  root: HTMLElement;
  turnTo(address: string, body?: URLSearchParams): Promise<Turned>;
  nextCustomer(): void;
};

/** Moves from customer to customer by replacing parts of the page, which is never left. */
export function stayOnCounter(root: HTMLElement): void {
  const parts = partsOf(root);
  if (!parts) return;
  const { outcome, pay, strip } = parts;
  let timer = 0;
  let turns = 0;
  /** The empty keypad. It is kept, so that the next customer needs no server. */
  let keypad: Node[] | null = null;

  /** The payment's result is shown alone for a while; the keypad waits behind it. */
  const arrange = () => {
    turns += 1;
    for (const part of pay.querySelectorAll<HTMLElement>('[data-keypad]')) part.hidden = false;
    const amount = pay.querySelector<HTMLInputElement>('#amount');
    // The phone's own keyboard would cover ours.
    if (amount && matchMedia('(pointer: coarse)').matches) amount.inputMode = 'none';
    if (amount && amount.defaultValue === '')
      keypad ??= [...pay.childNodes].map(node => node.cloneNode(true));
    clearTimeout(timer);
    pay.hidden = isShown(outcome);
    if (outcome.dataset['outcome'] === 'paid') timer = setTimeout(nextCustomer, greenFor);
  };
  const follow = (address: string) => {
    for (const part of root.querySelectorAll<HTMLElement>('[data-part]')) part.dataset['live'] = address;
  };
  const nextCustomer = () => {
    outcome.replaceChildren();
    outcome.dataset['outcome'] = outcome.dataset['shows'] = '';
    if (!pay.querySelector('#amount')) {
      if (!keypad) return isCutOff(root) ? undefined : location.assign(home);
      pay.replaceChildren(...keypad.map(node => node.cloneNode(true)));
    }
    follow(`${home}/live?order=`);
    history.replaceState(null, '', home);
    arrange();
  };
  const ask: Counter['turnTo'] = async (address, body) => {
    turns += 1;
    const turn = turns;
    const answer = await fetch(address, body ? { method: 'POST', body } : {});
    const page = new DOMParser().parseFromString(await answer.text(), 'text/html');
    // A later turn was faster, and is what the person wants to see.
    if (turn !== turns) return 'counter';
    const loaded = partsOf(page);
    if (!loaded) return answer.url.includes('/dashboard/sign-in') ? 'signed out' : 'elsewhere';
    sayTimes(page);
    outcome.dataset['outcome'] = loaded.outcome.dataset['outcome'] ?? '';
    outcome.dataset['shows'] = loaded.outcome.dataset['shows'] ?? '';
    outcome.replaceChildren(...loaded.outcome.childNodes);
    pay.replaceChildren(...loaded.pay.childNodes);
    strip.replaceChildren(...loaded.strip.childNodes);
    follow(loaded.list.dataset['live'] ?? '');
    history.replaceState(null, '', answer.url);
    arrange();
    for (const scrolled of [document.documentElement, root]) scrolled.scrollTop = 0;
    return 'counter';
  };
  const turnTo: Counter['turnTo'] = (address, body) => ask(address, body).catch(() => 'lost');
  const counter = { ...parts, root, turnTo, nextCustomer };
  followOutcome(counter);
  sendForms(counter);
  leadOn(counter);
  arrange();
}

function partsOf(page: ParentNode): Parts | null {
  const [outcome, pay, list, strip] = ['[data-outcome]', '[data-pay]', '#counter-live', '.waiting-strip'].map(
    part => page.querySelector<HTMLElement>(part),
  );
  return outcome && pay && list && strip ? { outcome, pay, list, strip } : null;
}

function isShown(outcome: HTMLElement): boolean {
  return outcome.dataset['outcome'] !== '';
}

function followOutcome({ root, outcome, list, turnTo }: Counter): void {
  root.addEventListener('over', event => {
    event.preventDefault();
    const { over = '', shows } = (event as CustomEvent<DOMStringMap>).detail;
    const awaited = list.dataset['live'];
    const show = () => {
      if (list.dataset['live'] !== awaited || outcome.dataset['shows'] === shows) return;
      void turnTo(over).then(turned => {
        if (turned === 'lost') setTimeout(show, retryAfter);
        else if (turned !== 'counter') location.replace(over);
      });
    };
    show();
  });
}

/** Without a connection nothing is sent and nothing typed is lost. The band says why. */
function sendForms({ root, outcome, pay, list, turnTo }: Counter): void {
  let isSending = false;
  const send = (event: SubmitEvent) => {
    const form = event.target as HTMLFormElement;
    if (form.dataset['plainly'] !== undefined) return;
    event.preventDefault();
    if (isSending || isCutOff(root)) return;
    isSending = true;
    const fields = [...new FormData(form)].map(([name, value]) => [name, String(value)]);
    void turnTo(form.action, new URLSearchParams(fields)).then(turned => {
      isSending = false;
      if (turned === 'lost') dispatch(list, 'answer', 'cut');
      if (turned === 'signed out') dispatch(list, 'answer', 'out');
      if (turned !== 'elsewhere') return;
      // Sent again without the script, so that the browser shows the page that answered.
      form.dataset['plainly'] = '';
      form.requestSubmit();
    });
  };
  for (const part of [outcome, pay]) part.addEventListener('submit', send);
}

/**
 * Any touch or key after a payment's result starts the next customer's amount; a key is also its first digit. Controls
 * for money that came near this order are excluded, because the person is about to use them.
 */
function leadOn({ root, outcome, pay, list, turnTo, nextCustomer }: Counter): void {
  // Also in the menu: leaving the page would lose the permission for sound.
  document.addEventListener('click', event => {
    const link = (event.target as HTMLElement).closest<HTMLAnchorElement>(`a[href^="${home}"]:not(.band a)`);
    const { pathname = '', search = '' } = link ?? {};
    if (pathname !== home || event.ctrlKey || event.metaKey) return;
    event.preventDefault();
    event.stopPropagation();
    if (search === '') return nextCustomer();
    if (isCutOff(root)) return;
    void turnTo(home + search).then(turned => {
      if (turned === 'lost') dispatch(list, 'answer', 'cut');
      else if (turned !== 'counter') location.assign(home + search);
    });
  });
  addEventListener('click', event => {
    if (!isShown(outcome) || isNear(event.target)) return;
    if (outcome.contains(event.target as Node)) event.preventDefault();
    nextCustomer();
  });
  addEventListener('keydown', event => {
    if (!isShown(outcome) || event.ctrlKey || event.metaKey || event.altKey) return;
    if (isNear(event.target) || (event.key === 'Tab' && outcome.querySelector('[data-near]'))) return;
    nextCustomer();
    pay.querySelector<HTMLInputElement>('#amount')?.focus();
  });
}

function isNear(target: EventTarget | null): boolean {
  return target instanceof Element && target.closest('[data-near]') !== null;
}
