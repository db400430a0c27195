import { type Answer, askJson } from './ask-json.ts';
import { offerCopying } from './offer-copying.ts';
import { rupeesText } from './rupees-text.ts';
import { startPolling } from './start-polling.ts';
import { type Heard, watchLine } from './watch-line.ts';

/** The script of the hosted page. The page already contains everything that it shows; see `render-page.ts`. */
type State = 'pending' | 'paid' | 'expired' | 'late' | 'over' | 'failed' | 'review' | 'unpayable';

const paidPause = 4_000;
const failurePause = 15_000;
const expiryGrace = 3_000;

const appKey = `milaan-app ${location.pathname}`;

const main = document.getElementById('pay')!;
const claim = document.getElementById('claim')!;
const contact = document.getElementById('contact');
const opened = Date.now();
let state = main.dataset['state'] as State;
let announced = Number.POSITIVE_INFINITY;
let returning = 0;
let planned: string | undefined;
let wasHidden = false;
let hear: (heard: Heard) => void = () => {};
/** The customer says that they have paid: an expired page waits instead of going back to the shop. */
let stays = main.dataset['stays'] === 'yes';
/** They opened a UPI app here, so they may have paid. Kept for the tab, because phones reload a page in the background. */
let openedApp = useStorage(storage => storage.getItem(appKey)) === 'opened';

/** They are about to pay. Their money may come late, so nobody else should get this amount until then. */
function reportIntent(): void {
  navigator.sendBeacon(`${location.pathname}/intent`);
}

/** Counted from the server's figure by elapsed time, so that a wrong clock on the phone does no harm. */
function left(): number {
  return Number(main.dataset['left']) - (Date.now() - opened);
}

function noteApp(): void {
  reportIntent();
  useStorage(storage => storage.setItem(appKey, 'opened'));
  openedApp = true;
}

/** A browser that blocks cookies throws at the mere name. The page then forgets the app on a reload. */
function useStorage<T>(use: (storage: Storage) => T): T | null {
  try {
    return use(sessionStorage);
  } catch {
    return null;
  }
}

function begin(): void {
  offerCopying(say);
  document.getElementById('stay')?.addEventListener('click', event => {
    event.preventDefault();
    stays = true;
    if (state === 'expired') show('late');
  });
  for (const link of main.querySelectorAll('[data-claims]'))
    link.addEventListener('click', event => {
      event.preventDefault();
      reportIntent();
      openClaim();
      claim.querySelector('textarea')!.focus();
    });
  for (const app of main.querySelectorAll('.apps a, a.app')) app.addEventListener('click', noteApp);
  offerReceipt();
  for (const kind of ['pointerdown', 'keydown', 'wheel'])
    addEventListener(kind, stayHere, { passive: true, capture: true });
  document.addEventListener('visibilitychange', noticeReturn);
  // A customer who asked to stay with their receipt stays.
  if (!stays) planReturn(main.dataset['return']);
  if (state === 'pending') tick();
  if (state === 'expired' && openedApp) show('late');
  else if (state === 'expired') openForm();
  if (!isOver()) {
    // Notified at once if line and server allow it. The polling continues and needs none of this.
    const news = new EventSource(`${location.pathname}/events`);
    const polling = startPolling(
      signal => askJson(`${location.pathname}/status`, { signal, cache: 'no-store' }),
      answer => {
        if (heard(answer)) return true;
        news.close();
        // Nothing is asked any more, so no connection can be lost.
        hear('out');
        return false;
      },
    );
    news.onmessage = polling.ask;
    hear = watchLine(line => showOffline(line === 'lost'));
  }
}

/** The customer seems to be back from their UPI app, and wants to see that we look. The polling asks now too. */
function noticeReturn(): void {
  if (document.visibilityState === 'hidden') wasHidden = true;
  else if (wasHidden && state === 'pending') {
    const looking = document.getElementById('looking')!;
    document.getElementById('waiting')!.hidden = true;
    looking.hidden = false;
    say(looking.textContent ?? '');
    scrollTo(0, 0);
  }
}

/** False ends the polling: nothing can change any more. */
function heard({ status, body }: Answer): boolean {
  if (status === 401 || status === 403 || status === 404) return false;
  const order = body as PublicStatus | null;
  const understood = status === 200 && typeof order?.status === 'string';
  hear(understood ? 'good' : 'bad');
  // The shop connected its mailbox or lost it, so what the customer can do here has changed.
  if (understood && (order.payable === false) !== (main.dataset['unpayable'] === 'yes')) location.reload();
  else if (understood) follow(order);
  if (left() <= -Number(main.dataset['late']) && (state === 'late' || state === 'expired')) show('over');
  return !isOver();
}

/** The order is over, but a reference given before may still find its payment. */
function isOver(): boolean {
  return state === 'paid' || state === 'failed' || (state === 'over' && main.dataset['claim'] !== 'sent');
}

type PublicStatus = { status?: string; return_url?: string; payable?: false; received_amount?: number };

function follow({ status, return_url: target, received_amount: received }: PublicStatus): void {
  if (typeof received === 'number') {
    for (const text of main.querySelectorAll<HTMLElement>('[data-received]'))
      text.textContent = text.dataset['received']!.replace('{}', rupeesText(received));
  }
  const next: Record<string, State> = { paid: 'paid', failed: 'failed', manual_review: 'review' };
  const reached =
    next[status!] ??
    (status === 'expired' && (state === 'pending' || state === 'unpayable') ? expired() : state);
  // The shop took the payment away from this order again, so it may be paid once more.
  if (state === 'review' && reached === state && status !== 'manual_review') location.reload();
  if (reached !== state) show(reached);
  if (target !== planned) planReturn(target);
}

function expired(): State {
  return (stays || openedApp) && state === 'pending' ? 'late' : 'expired';
}

function openClaim(): void {
  stays = true;
  openForm();
}

function openForm(): void {
  claim.hidden = false;
  claim.classList.remove('early');
  document.getElementById('offer')!.hidden = true;
  claim.querySelector('form')!.hidden = false;
}

function show(next: State): void {
  const before = document.getElementById(state)!;
  const panel = document.getElementById(next)!;
  const heading = panel.querySelector('h1')!;
  const writing = claim.contains(document.activeElement) && (next === 'late' || next === 'over');
  const lostFocus =
    !writing && (before.contains(document.activeElement) || claim.contains(document.activeElement));
  stopReturn();
  state = next;
  main.dataset['state'] = next;
  panel.hidden = false;
  const takesReference = next === 'expired' || next === 'late' || next === 'over';
  // The ways to pay go for good, because an expired or paid order must not be paid again. The form was among them.
  const field = document.activeElement;
  if (before.contains(claim)) main.insertBefore(claim, contact ?? document.getElementById('say'));
  if (writing && field instanceof HTMLElement) field.focus({ preventScroll: true });
  if (before.id === 'pending') before.remove();
  else before.hidden = true;
  if (takesReference && main.dataset['claim'] !== 'sent') openForm();
  claim.hidden = !takesReference;
  const later = document.getElementById('returns-later');
  if (later) later.hidden = stays || !openedApp;
  if (contact && !contact.dataset['always'])
    contact.hidden = !contact.dataset['states']!.split(' ').includes(next);
  if (next === 'paid') void takeReceipt();
  if (next === 'over') planReturn(planned);
  document.title = heading.textContent ?? '';
  if (lostFocus) heading.focus();
  if (!writing) scrollTo(0, 0);
  say([...panel.querySelectorAll('h1, h1 + p')].map(part => part.textContent).join('. '));
}

/** Goes back to the shop by itself, once the customer had time to see why. A hidden tab waits until it is seen. */
function planReturn(target: string | undefined): void {
  if (!target || !/^https?:\/\//i.test(target)) return;
  planned = target;
  for (const link of main.querySelectorAll<HTMLAnchorElement>('[data-go]')) link.href = target;
  const waited = state === 'over' && openedApp && !stays;
  if (state !== 'paid' && state !== 'expired' && state !== 'failed' && !waited) return;
  const go = () => {
    if (document.visibilityState === 'visible') location.replace(target);
    else document.addEventListener('visibilitychange', () => planReturn(target), { once: true });
  };
  stopReturn();
  for (const line of main.querySelectorAll<HTMLElement>('[data-leaving], [data-leaving] > *'))
    line.hidden = false;
  returning = setTimeout(go, state === 'paid' ? paidPause : failurePause);
}

function stopReturn(): void {
  clearTimeout(returning);
  returning = 0;
}

/** Any touch or key: a customer who reads, looks for their receipt or has paid is not led away. */
function stayHere(): void {
  if (returning === 0) return;
  stopReturn();
  for (const line of main.querySelectorAll<HTMLElement>('[data-leaving]')) line.hidden = true;
}

function tick(): void {
  const clock = document.getElementById('left');
  if (!clock) return;
  // Without a connection no server reports the expiry, but the QR must go anyway.
  if (left() < -expiryGrace) {
    show(expired());
    return;
  }
  const seconds = Math.max(0, Math.ceil(left() / 1000));
  clock.textContent = `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`;
  (document.getElementById('bar') as HTMLProgressElement).value = Math.max(0, left());
  main.classList.toggle('soon', seconds <= 60);
  if (left() <= Number(main.dataset['claimFrom'])) claim.classList.remove('early');
  // A screen reader announces two and one minute, and not every second.
  for (const minutes of [2, 1]) {
    if (seconds <= minutes * 60 && announced > minutes && seconds > minutes * 60 - 5) {
      announced = minutes;
      say(main.dataset[`say${minutes}`] ?? '');
    }
  }
  setTimeout(tick, 1000 - ((Date.now() - opened) % 1000));
}

function showOffline(offline: boolean): void {
  // This text says that a payment is safe, which is wrong without a mailbox.
  document.getElementById('offline')!.hidden = !offline || main.dataset['unpayable'] === 'yes';
}

function say(text: string): void {
  document.getElementById('say')!.textContent = text;
}

begin();

/** Shows the receipt's buttons; a browser may have one or both. */
function offerReceipt(): void {
  const print = document.querySelector<HTMLElement>('[data-print]');
  const share = document.querySelector<HTMLElement>('[data-share]');
  if (!print || !share) return;
  print.hidden = false;
  print.onclick = () => window.print();
  // Some browsers lack it, and none has it without TLS.
  if (!('share' in navigator)) return;
  share.hidden = false;
  share.onclick = () => {
    // The customer refused or closed it, and has seen that themselves.
    navigator.share({ text: share.dataset['share'] ?? '' }).catch(() => undefined);
  };
}

/** The order was paid while the page was open, so the receipt is fetched as the server writes it now. */
async function takeReceipt(): Promise<void> {
  try {
    const answer = await fetch(location.href, { cache: 'no-store' });
    const page = new DOMParser().parseFromString(await answer.text(), 'text/html');
    const found = page.querySelector('#receipt');
    if (found) document.getElementById('receipt')!.replaceWith(document.importNode(found, true));
    offerReceipt();
  } catch {
    // The connection is lost just now. The page says that it was paid anyway.
  }
}
