import type { Heard } from '../../../orders/page/browser/watch-line.ts';
import { sayTime, type TimeForm } from '../../../texts/say-time.ts';

const usualPause = 3_000;
const patience = 8_000;
/** Signed out, no longer allowed or deleted: the page stays as it is. Other failures, also "too many", pass. */
const gone = [401, 403, 404];

/** Keeps marked parts of the page up to date: requests them repeatedly while the page is visible. */
export function keepLive(): void {
  const parts = [...document.querySelectorAll<HTMLElement>('[data-live]')];
  const addressOf = (part: HTMLElement) => part.dataset['live'] ?? '';
  // Parts with the same address come in one answer, each with its name.
  for (const address of new Set(parts.map(addressOf)))
    follow(parts.filter(part => addressOf(part) === address));
}

function follow(parts: readonly HTMLElement[]): void {
  const shown = new Map<HTMLElement, Shown>();
  const cause = watchCause(parts);
  let heard = '';
  // A box on a shelf keeps asking, even if hidden or refused, and must know whether each request succeeded.
  const isAlways = parts[0]?.dataset['liveAlways'] !== undefined;
  const pause = Number(parts[0]?.dataset['livePause'] ?? usualPause);
  const report = (detail: Heard) => dispatch(parts[0], 'answer', detail);
  // Read each time, because the counter moves to its next customer without leaving the page.
  const addressNow = () => parts[0]?.dataset['live'] ?? '';
  const turn = async (): Promise<void> => {
    const address = addressNow();
    if ((isAlways || document.visibilityState === 'visible') && cause.hasChanged()) {
      const limit = new AbortController();
      const timer = setTimeout(() => limit.abort(), patience);
      try {
        const asked = { headers: { accept: 'text/html' }, redirect: 'manual', signal: limit.signal } as const;
        const answer = await fetch(address, asked);
        const isGone = gone.includes(answer.status);
        const isOut = isGone || answer.type === 'opaqueredirect';
        const text = answer.ok ? await answer.text() : null;
        report(isOut ? 'out' : text === null ? 'bad' : 'good');
        if (isGone && !isAlways) return;
        if (text === null) throw new Error('the next turn asks again');
        if (addressNow() === address) {
          show(text);
          cause.isShown();
        }
      } catch (error) {
        // The connection is down; the next turn asks again.
        if (error instanceof TypeError || limit.signal.aborted) report('bad');
      } finally {
        clearTimeout(timer);
      }
    }
    setTimeout(turn, pause);
  };
  const show = (text: string): void => {
    const { body } = new DOMParser().parseFromString(text, 'text/html');
    // The awaited result is here, but the rest of the page still asks for it, such as a paid QR code.
    const over = body.querySelector<HTMLElement>('[data-over]');
    if (over && text !== heard)
      if (dispatch(parts[0], 'over', over.dataset)) location.replace(over.dataset['over'] ?? '');
    heard = text;
    for (const part of parts) {
      const name = part.dataset['part'];
      const loaded = name === undefined ? body : body.querySelector<HTMLElement>(`[data-part="${name}"]`);
      if (loaded) renew(part, loaded, shown);
    }
  };
  setTimeout(turn, pause);
}

/** False if a listener above the part has done what was to be done. */
export function dispatch(part: HTMLElement | undefined, name: string, detail: unknown): boolean {
  const event = new CustomEvent(name, { bubbles: true, cancelable: true, detail });
  return part?.dispatchEvent(event) ?? true;
}

/** An expensive part names another part, and is requested again when that one has changed. */
function watchCause(parts: readonly HTMLElement[]) {
  const cause = document.getElementById(parts[0]?.dataset['liveAfter'] ?? '');
  let asked = cause?.textContent;
  let shown = asked;
  return {
    hasChanged(): boolean {
      asked = cause?.textContent;
      return cause === null || asked !== shown;
    },
    isShown(): void {
      shown = asked;
    },
  };
}

/** The last answer and its first node. Another script may have replaced the part since. */
type Shown = { innerHTML: string; first: ChildNode | null };

function renew(part: HTMLElement, loaded: HTMLElement, shown: Map<HTMLElement, Shown>): void {
  const { innerHTML } = loaded;
  const last = shown.get(part);
  const isSame = innerHTML === last?.innerHTML && part.firstChild === last.first;
  if (isSame || isInUse(part)) return;
  sayTimes(loaded);
  if (last !== undefined || loaded.textContent !== part.textContent) {
    const focused = carryOver(part, loaded);
    part.replaceChildren(...loaded.childNodes);
    focused?.focus({ preventScroll: true });
  }
  shown.set(part, { innerHTML, first: part.firstChild });
}

const typed = 'textarea, input:not([type="radio"], [type="checkbox"])';
const carried = 'a[href], details[id] > summary, input[type="radio"]';

/** The person is using it, or has typed something that a new form would lose. */
function isInUse(part: HTMLElement): boolean {
  const focused = document.activeElement;
  if (focused && part.contains(focused) && !focused.matches(carried)) return true;
  const fields = part.querySelectorAll<HTMLInputElement | HTMLTextAreaElement>(typed);
  return [...fields].some(field => field.value !== field.defaultValue);
}

/** Keeps opened details open, chosen options chosen and the keyboard focus in place. */
function carryOver(part: HTMLElement, loaded: HTMLElement): HTMLElement | null {
  let focused: HTMLElement | null = null;
  const follows = (old: Element | null, same: HTMLElement | null) => {
    if (old !== null && old === document.activeElement) focused = same;
  };
  for (const details of part.querySelectorAll<HTMLDetailsElement>('details[id]')) {
    const same = loaded.querySelector<HTMLDetailsElement>(`#${CSS.escape(details.id)}`);
    if (!same) continue;
    same.open = details.open;
    follows(details.querySelector('summary'), same.querySelector('summary'));
  }
  for (const link of part.querySelectorAll('a'))
    follows(link, loaded.querySelector(`a[href="${CSS.escape(link.getAttribute('href') ?? '')}"]`));
  const radios = loaded.querySelectorAll<HTMLInputElement>('input[type="radio"]');
  for (const [at, old] of part.querySelectorAll<HTMLInputElement>('input[type="radio"]').entries()) {
    const same = radios[at];
    if (!same) continue;
    same.checked = old.checked;
    follows(old, same);
  }
  return focused;
}

/** How far the server's clock is ahead of this device's, which may be wrong. */
const ahead = Number(document.body.dataset['now']) - Date.now();

/** Writes each time in the page's language by India's clock; today's times say "today". */
export function sayTimes(part: ParentNode): void {
  for (const element of part.querySelectorAll<HTMLTimeElement>('time[data-show]')) {
    const form = element.dataset['show'] as TimeForm;
    element.textContent = sayTime(
      document.documentElement.lang,
      new Date(element.dateTime),
      form,
      form === 'exact' ? undefined : new Date(Date.now() + ahead),
    );
  }
}
