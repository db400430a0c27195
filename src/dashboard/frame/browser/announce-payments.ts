const soundKey = 'milaan-counter-sound';
const toldKey = 'milaan-counter-told';

/** Each payment is announced once, also when the counter is opened again: what was told is kept for the tab. */
export function announcePayments(counter: HTMLElement): void {
  const list = counter.querySelector<HTMLElement>('#counter-live');
  const button = counter.querySelector<HTMLButtonElement>('[data-sound]');
  if (!list || !button) return;
  const voice = offerVoice(counter);
  const told = new Set<string>(JSON.parse(sessionStorage.getItem(toldKey) ?? 'null') ?? idsIn(list));
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
  const look = () => {
    for (const line of [...list.querySelectorAll<HTMLElement>('[data-payment]')].reverse()) {
      const id = line.dataset['payment'] ?? '';
      if (told.has(id)) continue;
      told.add(id);
      const { say } = line.dataset;
      // The bank told of it a while ago: whoever stands there now did not pay it.
      if (say === undefined) continue;
      line.classList.add('fresh');
      if (!isOn()) continue;
      // One that is not unlocked would keep its tones until it is, long after.
      if (audio?.state === 'running') chime(audio);
      speak(say, counter.dataset['language']);
    }
    sessionStorage.setItem(toldKey, JSON.stringify([...told]));
  };
  look();
  new MutationObserver(look).observe(list, { childList: true });
}

/** The choice is a cookie, since the server words what is said. The answer says the sample of what is chosen. */
function offerVoice(counter: HTMLElement): () => void {
  const choice = counter.querySelector<HTMLSelectElement>('[data-voice]');
  const say = () => speak(choice?.selectedOptions[0]?.dataset['say'] ?? '', counter.dataset['language']);
  if (choice && 'speechSynthesis' in window) {
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

function idsIn(list: HTMLElement): string[] {
  return [...list.querySelectorAll<HTMLElement>('[data-payment]')].map(line => line.dataset['payment'] ?? '');
}

/** Two tones, up: heard across a shop, and over before the next customer speaks. */
function chime(audio: AudioContext): void {
  [660, 880].forEach((frequency, at) => {
    const tone = audio.createOscillator();
    const volume = audio.createGain();
    const begin = audio.currentTime + at * 0.18;
    tone.frequency.value = frequency;
    volume.gain.setValueAtTime(0.4, begin);
    volume.gain.exponentialRampToValueAtTime(0.001, begin + 0.35);
    tone.connect(volume).connect(audio.destination);
    tone.start(begin);
    tone.stop(begin + 0.35);
  });
}

function hush(): void {
  if ('speechSynthesis' in window) speechSynthesis.cancel();
}

/** Where the device has no voice the chime says enough. */
function speak(text: string, language = 'en-IN'): void {
  if (!('speechSynthesis' in window) || text === '') return;
  const words = new SpeechSynthesisUtterance(text);
  words.lang = language;
  speechSynthesis.speak(words);
}
