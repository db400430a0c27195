/** What a browser fires where it would install the page as an app. */
type InstallOffer = Event & { prompt(): Promise<unknown> };

const isIphone = /iPhone|iPad/.test(navigator.userAgent);

/** Lets the page work as an app: its worker, and the button that installs it where the browser offers that. */
export function offerApp(): void {
  const worker = document.body.dataset['worker'];
  if (worker && 'serviceWorker' in navigator) {
    // What fails here leaves a page that works as any other.
    navigator.serviceWorker.register(worker, { scope: '/dashboard', updateViaCache: 'none' }).catch(() => {});
  }
  const isInstalled = matchMedia('(display-mode: standalone)').matches;
  if (isInstalled) say('installed');
  else if (isIphone) say('iphone');
  addEventListener('beforeinstallprompt', event => {
    const button = document.querySelector<HTMLButtonElement>('[data-app="offered"] button');
    if (!button) return;
    event.preventDefault();
    say('offered');
    button.addEventListener('click', () => void (event as InstallOffer).prompt(), { once: true });
  });
}

function say(state: string): void {
  for (const part of document.querySelectorAll<HTMLElement>('[data-app]')) {
    part.hidden = part.dataset['app'] !== state;
  }
}
