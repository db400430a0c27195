import { sayTimes } from './keep-live.ts';

const home = '/dashboard/counter';
const greenFor = 8_000;
const retryAfter = 2_000;

type Parts = { outcome: HTMLElement; pay: HTMLElement; list: HTMLElement };
/** False if the answer is no counter, for instance after the session ended. */
type TurnTo = (address: string, body?: URLSearchParams) => Promise<boolean>;

/** Moves from customer to customer by replacing parts of the page, which is never left. */
export function stayOnCounter(counter: HTMLElement): void {
  const parts = partsOf(counter);
  if (!parts) return;
  const { outcome, pay, list } = parts;
  let timer = 0;
  let turns = 0;

  /** The payment's result is shown alone for a while; the keypad waits behind it. */
  const arrange = () => {
    turns += 1;
    const keypad = pay.querySelector<HTMLElement>('[data-keypad]');
    if (keypad) keypad.hidden = false;
    clearTimeout(timer);
    pay.hidden = isShown(outcome);
    if (outcome.dataset['outcome'] === 'paid') timer = setTimeout(nextCustomer, greenFor);
  };
  const nextCustomer = () => {
    outcome.replaceChildren();
    outcome.dataset['outcome'] = outcome.dataset['shows'] = '';
    list.dataset['live'] = `${home}/live?order=`;
    history.replaceState(null, '', home);
    arrange();
  };
  const turnTo: TurnTo = async (address, body) => {
    turns += 1;
    const turn = turns;
    const answer = await fetch(address, body ? { method: 'POST', body } : {});
    const page = new DOMParser().parseFromString(await answer.text(), 'text/html');
    // A later turn was faster, and is what the person wants to see.
    if (turn !== turns) return true;
    const fresh = partsOf(page);
    if (!fresh) return false;
    sayTimes(page);
    outcome.dataset['outcome'] = fresh.outcome.dataset['outcome'] ?? '';
    outcome.dataset['shows'] = fresh.outcome.dataset['shows'] ?? '';
    outcome.replaceChildren(...fresh.outcome.childNodes);
    pay.replaceChildren(...fresh.pay.childNodes);
    list.dataset['live'] = fresh.list.dataset['live'] ?? '';
    history.replaceState(null, '', answer.url);
    arrange();
    for (const scrolled of [document.documentElement, counter]) scrolled.scrollTop = 0;
    return true;
  };
  followOutcome(parts, turnTo);
  sendForms(parts, turnTo);
  leadOn(parts, turnTo, nextCustomer);
  arrange();
}

function partsOf(page: ParentNode): Parts | null {
  const [outcome, pay, list] = ['[data-outcome]', '[data-pay]', '#counter-live'].map(part =>
    page.querySelector<HTMLElement>(part),
  );
  return outcome && pay && list ? { outcome, pay, list } : null;
}

function isShown(outcome: HTMLElement): boolean {
  return outcome.dataset['outcome'] !== '';
}

function followOutcome({ outcome, list }: Parts, turnTo: TurnTo): void {
  list.addEventListener('over', event => {
    event.preventDefault();
    const { over = '', shows } = (event as CustomEvent<DOMStringMap>).detail;
    const awaited = list.dataset['live'];
    const show = () => {
      if (list.dataset['live'] !== awaited || outcome.dataset['shows'] === shows) return;
      turnTo(over).then(
        isCounter => isCounter || location.replace(over),
        () => setTimeout(show, retryAfter),
      );
    };
    show();
  });
}

function sendForms({ outcome, pay }: Parts, turnTo: TurnTo): void {
  let isSending = false;
  const send = (event: SubmitEvent) => {
    const form = event.target as HTMLFormElement;
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
        // Sent again without the script, so that the browser shows the sign-in or that the connection is down.
        form.dataset['plainly'] = '';
        form.requestSubmit();
      });
  };
  for (const part of [outcome, pay]) part.addEventListener('submit', send);
}

/**
 * Any touch or key starts the next customer's amount; a key is also its first digit. Controls for money that came near
 * this order are excluded, because the person is about to use them.
 */
function leadOn({ outcome, pay }: Parts, turnTo: TurnTo, nextCustomer: () => void): void {
  pay.addEventListener('click', event => {
    const link = (event.target as HTMLElement).closest(`a[href="${home}"]`);
    if (!link || event.ctrlKey || event.metaKey) return;
    event.preventDefault();
    void turnTo(home)
      .catch(() => false)
      .then(isCounter => isCounter || location.assign(home));
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
