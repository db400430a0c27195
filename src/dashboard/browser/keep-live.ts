import { sayTimes } from './say-times.ts';

const every = 3_000;

/** Keeps marked parts of the page up to date by asking for them again while somebody looks. */
export function keepLive(): void {
  for (const part of document.querySelectorAll<HTMLElement>('[data-live]')) follow(part);
}

function follow(part: HTMLElement): void {
  let shown = '';
  const turn = async (): Promise<void> => {
    if (document.visibilityState === 'visible') {
      // Read anew each time: the counter turns to its next customer without leaving the page.
      const address = part.dataset['live'] ?? '';
      try {
        const answer = await fetch(address, { headers: { accept: 'text/html' }, redirect: 'error' });
        // Signed out, or no longer allowed: the page stays as it is.
        if (answer.status >= 400 && answer.status < 500) return;
        const text = await answer.text();
        if (answer.ok && part.dataset['live'] === address) show(text);
      } catch {
        // No line for now; the next turn asks again.
      }
    }
    setTimeout(turn, every);
  };
  const show = (text: string): void => {
    if (text === shown || part.contains(document.activeElement)) return;
    const fresh = new DOMParser().parseFromString(text, 'text/html').body;
    // What was waited for is there, and the rest of the page still asks for it: a QR code that is paid, say.
    const over = fresh.querySelector<HTMLElement>('[data-over]');
    if (over && part.dispatchEvent(new CustomEvent('over', { cancelable: true, detail: over.dataset })))
      location.replace(over.dataset['over'] ?? '');
    if (shown !== '' || fresh.textContent !== part.textContent) {
      sayTimes(fresh);
      part.replaceChildren(...fresh.childNodes);
    }
    shown = text;
  };
  setTimeout(turn, every);
}
