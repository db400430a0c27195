import { showOne } from './show-one.ts';

const say = (what: string) => showOne('data-push-says', what);
/** Set once this browser has reported its subscription during this sign-in. */
const saidHere = 'milaan-here';

/** Notices on this device: asks only after a press, and reports the subscription's owner to the server. */
export function offerPushes(): void {
  // The next person to sign in may be somebody else.
  if (document.body.className === 'open') {
    sessionStorage.removeItem(saidHere);
    return;
  }
  const offer = document.querySelector<HTMLElement>('[data-push]');
  if (!('serviceWorker' in navigator) || !('PushManager' in window) || !('Notification' in window)) {
    say(/iPhone|iPad/.test(navigator.userAgent) ? 'iphone' : 'impossible');
    return;
  }
  void lookHere(offer);
  offer?.addEventListener('submit', event => {
    event.preventDefault();
    say('');
    subscribe(offer as HTMLFormElement).catch(() => say('failed'));
  });
}

/** Offers what is not on yet, also for a subscription whose device the server no longer knows. */
async function lookHere(offer: HTMLElement | null): Promise<void> {
  const isAllowed = Notification.permission === 'granted';
  const registration = isAllowed ? await navigator.serviceWorker.getRegistration('/dashboard') : null;
  const subscription = await registration?.pushManager.getSubscription();
  const isKnown = subscription ? await isOurs(subscription, offer !== null) : false;
  if (offer) offer.hidden = isKnown;
  showOne('data-device', subscription?.endpoint);
}

async function isOurs(subscription: PushSubscription, mustKnow: boolean): Promise<boolean> {
  if (!mustKnow && sessionStorage.getItem(saidHere)) return true;
  const answer = await fetch('/dashboard/notices/devices/here', {
    method: 'POST',
    body: new URLSearchParams(fieldsOf(subscription)),
  });
  if (!answer.ok) return false;
  sessionStorage.setItem(saidHere, 'yes');
  return ((await answer.json()) as { known: boolean }).known;
}

async function subscribe(form: HTMLFormElement): Promise<void> {
  if ((await Notification.requestPermission()) !== 'granted') return say('denied');
  const { pushManager } = await navigator.serviceWorker.ready;
  // A subscription made for another server key no longer works.
  await (await pushManager.getSubscription())?.unsubscribe();
  const subscription = await pushManager.subscribe({
    userVisibleOnly: true,
    applicationServerKey: form.dataset['push'] ?? '',
  });
  for (const [name, value] of Object.entries(fieldsOf(subscription))) {
    (form.elements.namedItem(name) as HTMLInputElement).value = value;
  }
  form.submit();
}

function fieldsOf(subscription: PushSubscription): Record<string, string> {
  const { endpoint = '', keys = {} } = subscription.toJSON();
  return { endpoint, p256dh: keys['p256dh'] ?? '', auth: keys['auth'] ?? '' };
}
