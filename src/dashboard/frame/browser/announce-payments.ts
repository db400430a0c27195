import { chime, hush, speak } from './speak.ts';

const soundKey = 'milaan-counter-sound';
const toldKey = 'milaan-counter-told';
/** The list shows fewer. */
const mostTold = 500;
const freshFor = 60_000;

/** Each payment is announced once, also when the counter is opened again: what was told is kept for the tab. */
export function announcePayments(counter: HTMLElement): void {
  const list = counter.querySelector<HTMLElement>('#counter-live');
  const button = counter.querySelector<HTMLButtonElement>('[data-sound]');
  if (!list || !button) return;
  const language = counter.dataset['language'] ?? 'en-IN';
  let audio: AudioContext | null = null;
  const isOn = () => localStorage.getItem(soundKey) === 'on';
  const unlock = async (): Promise<void> => {
    if (!isOn()) return;
    audio ??= new AudioContext();
    await audio.resume();
  };
  const show = () => button.setAttribute('aria-pressed', String(isOn()));
  button.hidden = false;
  show();
  button.addEventListener('click', () => {
    localStorage.setItem(soundKey, isOn() ? 'off' : 'on');
    show();
    if (!isOn()) return hush();
    void unlock().then(() => audio && chime(audio));
    speak(button.dataset['sound'] ?? '', language);
  });
  // Browsers let a page make a sound only after a touch: the button is that touch, and so is each one after it.
  for (const touch of ['pointerdown', 'keydown']) addEventListener(touch, () => void unlock());
  followPayments(list, toldBefore() ?? idsIn(list), text => {
    if (!isOn()) return;
    // One that is not unlocked would keep its tones until it is, long after.
    if (audio?.state === 'running') chime(audio);
    speak(text, language);
  });
}

/** Tells of each payment in the list once, the oldest first. One without words is old money, and stays silent. */
export function followPayments(
  list: HTMLElement,
  known: readonly string[],
  tell: (text: string) => void,
): void {
  const told = new Set(known);
  const fresh = new Set<string>();
  const look = () => {
    for (const line of [...list.querySelectorAll<HTMLElement>('[data-payment]')].reverse()) {
      const { payment: id = '', say = '' } = line.dataset;
      if (!told.has(id)) {
        told.add(id);
        if (say !== '') {
          fresh.add(id);
          setTimeout(() => {
            fresh.delete(id);
            look();
          }, freshFor);
          tell(say);
        }
      }
      line.classList.toggle('fresh', fresh.has(id));
    }
    sessionStorage.setItem(toldKey, JSON.stringify([...told].slice(-mostTold)));
  };
  look();
  new MutationObserver(look).observe(list, { childList: true });
}

export function toldBefore(): string[] | null {
  return JSON.parse(sessionStorage.getItem(toldKey) ?? 'null');
}

export function idsIn(list: HTMLElement): string[] {
  return [...list.querySelectorAll<HTMLElement>('[data-payment]')].map(line => line.dataset['payment'] ?? '');
}
