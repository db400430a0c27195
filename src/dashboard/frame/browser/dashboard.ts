import { keepLive, sayTimes } from './keep-live.ts';
import { keepTyped } from './keep-typed.ts';
import { offerPushes } from './offer-pushes.ts';
import { runBox } from './run-box.ts';
import { runCounter } from './run-counter.ts';
import { runKeys } from './run-keys.ts';
import { selectWords } from './select-words.ts';
import { showOne } from './show-one.ts';

/** Longer than the slowest answer, such as a tried mail server. A click after that is intended. */
const lockedFor = 30_000;
const copiedShownFor = 2_000;
const isIphone = /iPhone|iPad/.test(navigator.userAgent);

sayTimes(document);
// A page left open over midnight must not call yesterday's times today.
document.addEventListener('visibilitychange', () => sayTimes(document));
offerCopying();
offerPasskeys();
offerSharing();
runCounter();
runBox();
runKeys();
keepLive();
selectWords();
refuseLargeFiles();
// Before the typed text is stored: a click that sends nothing must store nothing either.
sendOnce();
keepTyped();
offerApp();
offerPushes();

/** Checked before sending: the server stops reading a large file, and the browser then shows a broken connection. */
function refuseLargeFiles(): void {
  for (const input of document.querySelectorAll<HTMLInputElement>('input[type="file"][data-most-bytes]')) {
    const { mostBytes, tooLarge = '' } = input.dataset;
    input.addEventListener('change', () => {
      const size = input.files?.[0]?.size ?? 0;
      input.setCustomValidity(size > Number(mostBytes) ? tooLarge : '');
      input.reportValidity();
    });
  }
}

/** A second click is blocked during the first request; it would make a second key or a second test event. */
function sendOnce(): void {
  const sending = new Set<HTMLFormElement>();
  document.addEventListener('submit', event => {
    const form = event.target as HTMLFormElement;
    if (event.defaultPrevented || form.getAttribute('method') !== 'post') return;
    if (sending.has(form)) return event.preventDefault();
    sending.add(form);
    setTimeout(() => sending.delete(form), lockedFor);
  });
  // A person who comes back finds the page as they left it, and may send again.
  addEventListener('pageshow', () => sending.clear());
}

function offerCopying(): void {
  for (const button of document.querySelectorAll<HTMLButtonElement>('[data-copy-from]')) {
    const text = button.textContent ?? '';
    button.hidden = false;
    button.addEventListener('click', async () => {
      const source = document.getElementById(button.dataset['copyFrom'] ?? '');
      if (!source || !(await copy(source))) return;
      const copied = document.body.dataset['copied'] ?? '';
      say(copied);
      button.textContent = copied;
      setTimeout(() => {
        button.textContent = text;
      }, copiedShownFor);
    });
  }
}

/** Announces it to a screen reader, also when the same words come twice. */
function say(text: string): void {
  const region = document.getElementById('say');
  if (!region) return;
  region.textContent = '';
  region.textContent = text;
}

/** Older browsers and pages without TLS have no clipboard; they at least select the text. */
async function copy(source: HTMLElement): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(source.textContent ?? '');
    return true;
  } catch {
    getSelection()?.selectAllChildren(source);
    return false;
  }
}

/** Shows the buttons that need a script: the device's own share menu, and printing. */
function offerSharing(): void {
  for (const button of document.querySelectorAll<HTMLButtonElement>('[data-share]')) {
    if (!('share' in navigator)) continue;
    button.hidden = false;
    button.addEventListener('click', () => {
      const { share: url = '', shareText: text = '' } = button.dataset;
      // A cancelled share is not an error.
      navigator.share({ text, url }).catch(() => {});
    });
  }
  for (const button of document.querySelectorAll<HTMLButtonElement>('[data-print]')) {
    button.hidden = false;
    button.addEventListener('click', () => print());
  }
}

/** The browser's event when it could install the page as an app. */
type InstallOffer = Event & { prompt(): Promise<unknown> };

/** Registers the service worker, and shows the install button if the browser offers installation. */
function offerApp(): void {
  const worker = document.body.dataset['worker'];
  if (worker && 'serviceWorker' in navigator) {
    // Without the worker the page still works.
    navigator.serviceWorker.register(worker, { scope: '/dashboard', updateViaCache: 'none' }).catch(() => {});
  }
  const isInstalled = matchMedia('(display-mode: standalone)').matches;
  if (isInstalled) showOne('data-app', 'installed');
  else if (isIphone) showOne('data-app', 'iphone');
  addEventListener('beforeinstallprompt', event => {
    const button = document.querySelector<HTMLButtonElement>('[data-app="offered"] button');
    if (!button) return;
    event.preventDefault();
    showOne('data-app', 'offered');
    button.addEventListener('click', () => void (event as InstallOffer).prompt(), { once: true });
  });
}

/** Shows the passkey forms if the browser supports passkeys, and fills them when they are sent. */
function offerPasskeys(): void {
  if (typeof PublicKeyCredential === 'undefined' || !PublicKeyCredential.parseRequestOptionsFromJSON) return;
  for (const form of document.querySelectorAll<HTMLFormElement>('form[data-passkey]')) {
    form.hidden = false;
    form.addEventListener('submit', event => {
      event.preventDefault();
      void answer(form);
    });
  }
}

/** A cancelled browser dialog leaves the person on the page; the server answers everything else. */
async function answer(form: HTMLFormElement): Promise<void> {
  const response = form.elements.namedItem('response') as HTMLInputElement;
  try {
    const asked = await fetch(form.dataset['options'] ?? '', { method: 'POST' });
    const options = await asked.json();
    const credential =
      form.dataset['passkey'] === 'create'
        ? await navigator.credentials.create({
            publicKey: PublicKeyCredential.parseCreationOptionsFromJSON(options),
          })
        : await navigator.credentials.get({
            publicKey: PublicKeyCredential.parseRequestOptionsFromJSON(options),
          });
    response.value = JSON.stringify(credential);
  } catch (error) {
    if (error instanceof DOMException && error.name === 'NotAllowedError') return;
    response.value = '';
  }
  form.submit();
}
