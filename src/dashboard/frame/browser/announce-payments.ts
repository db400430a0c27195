import { canSpeak, chime, hush, speak } from './speak.ts';

const soundKey = 'milaan-counter-sound';
const announcedKey = 'milaan-counter-told';
/** The list shows fewer. */
const mostAnnounced = 500;
const freshFor = 60_000;

/** Each payment is announced once, also when the counter is opened again: what was told is kept for the tab. */
export function announcePayments(counter: HTMLElement): void {
  const list = counter.querySelector<HTMLElement>('#counter-live');
  const button = counter.querySelector<HTMLButtonElement>('[data-sound]');
  if (!list || !button) return;
  const voice = offerVoice(counter);
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
    voice();
  });
  // Browsers let a page make a sound only after a touch: the button is that touch, and so is each one after it.
  for (const touch of ['pointerdown', 'keydown']) addEventListener(touch, () => void unlock());
  followPayments(list, announcedBefore() ?? idsIn(list), text => {
    if (!isOn()) return;
    // One that is not unlocked would keep its tones until it is, long after.
    if (audio?.state === 'running') chime(audio);
    speak(text, counter.dataset['language']);
  });
}

/** Tells of each payment in the list once, the oldest first. One without words is old money, and stays silent. */
export function followPayments(
  list: HTMLElement,
  known: readonly string[],
  announce: (text: string) => void,
) {
  const announced = new Set(known);
  const fresh = new Set<string>();
  const look = () => {
    for (const line of [...list.querySelectorAll<HTMLElement>('[data-payment]')].reverse()) {
      const { payment: id = '', say = '' } = line.dataset;
      if (!announced.has(id)) {
        announced.add(id);
        if (say !== '') {
          fresh.add(id);
          setTimeout(() => {
            fresh.delete(id);
            look();
          }, freshFor);
          announce(say);
        }
      }
      line.classList.toggle('fresh', fresh.has(id));
    }
    sessionStorage.setItem(announcedKey, JSON.stringify([...announced].slice(-mostAnnounced)));
  };
  look();
  new MutationObserver(look).observe(list, { childList: true });
}

/** The choice is a cookie, since the server words what is said. The answer says the sample of what is chosen. */
function offerVoice(counter: HTMLElement): () => void {
  const choice = counter.querySelector<HTMLSelectElement>('[data-voice]');
  const say = () => speak(choice?.selectedOptions[0]?.dataset['say'] ?? '', counter.dataset['language']);
  if (choice && canSpeak) {
    choice.hidden = false;
    choice.addEventListener('change', () => {
      // biome-ignore lint/suspicious/noDocumentCookie: the store of cookies is missing in browsers of counters
      document.cookie = `milaan-voice=${choice.value}; path=/dashboard; max-age=31536000; samesite=lax`;
      counter.dataset['language'] = `${choice.value}-IN`;
      say();
    });
  }
  return say;
}

export function announcedBefore(): string[] | null {
  return JSON.parse(sessionStorage.getItem(announcedKey) ?? 'null');
}

export function idsIn(list: HTMLElement): string[] {
  return [...list.querySelectorAll<HTMLElement>('[data-payment]')].map(line => line.dataset['payment'] ?? '');
}
