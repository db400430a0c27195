import { announce, chime, hush, speak } from './speak.ts';

const soundKey = 'milaan-counter-sound';
const announcedKey = 'milaan-counter-told';
/** More than the list ever shows. */
const mostAnnounced = 500;
const recentFor = 60_000;

/** Announces each payment once. The tab remembers announced ones, also when the counter is opened again. */
export function announcePayments(counter: HTMLElement): void {
  const list = counter.querySelector<HTMLElement>('#counter-live');
  const button = counter.querySelector<HTMLButtonElement>('[data-sound]');
  if (!list || !button) return;
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
    speak(button.dataset['say'] ?? '', counter.dataset['language']);
  });
  // Browsers allow sound only after a touch. The button is the first touch; later ones unlock it again.
  for (const touch of ['pointerdown', 'keydown']) addEventListener(touch, () => void unlock());
  followPayments(list, announcedBefore() ?? idsIn(list), text => {
    if (isOn()) announce(audio, text, counter.dataset['language']);
  });
}

/** Announces each payment in the list once, oldest first. A payment without words is old and stays silent. */
export function followPayments(list: HTMLElement, known: readonly string[], say: (text: string) => void) {
  const announced = new Set(known);
  const recent = new Set<string>();
  const look = () => {
    for (const line of [...list.querySelectorAll<HTMLElement>('[data-payment]')].reverse()) {
      const { payment: id = '', say: words = '' } = line.dataset;
      if (!announced.has(id)) {
        announced.add(id);
        if (words !== '') {
          recent.add(id);
          setTimeout(() => {
            recent.delete(id);
            look();
          }, recentFor);
          say(words);
        }
      }
      line.closest('li')?.classList.toggle('fresh', recent.has(id));
    }
    sessionStorage.setItem(announcedKey, JSON.stringify([...announced].slice(-mostAnnounced)));
  };
  look();
  new MutationObserver(look).observe(list, { childList: true });
}

export function announcedBefore(): string[] | null {
  return JSON.parse(sessionStorage.getItem(announcedKey) ?? 'null');
}

export function idsIn(list: HTMLElement): string[] {
  return [...list.querySelectorAll<HTMLElement>('[data-payment]')].map(line => line.dataset['payment'] ?? '');
}
