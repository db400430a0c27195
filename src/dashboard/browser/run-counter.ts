type WakeLocks = { request(kind: 'screen'): Promise<unknown> };

/** The counter by the till: a keypad, a chime and a voice for each payment, and a screen that stays awake. */
export function runCounter(): void {
  const counter = document.querySelector<HTMLElement>('[data-counter]');
  if (!counter) return;
  offerKeypad(counter);
  offerFullScreen(counter);
  keepAwake();
  announcePayments(counter);
}

function offerKeypad(counter: HTMLElement): void {
  const keypad = counter.querySelector<HTMLElement>('[data-keypad]');
  const amount = counter.querySelector<HTMLInputElement>('#amount');
  if (!keypad || !amount) return;
  keypad.hidden = false;
  keypad.addEventListener('click', event => {
    const key = (event.target as HTMLElement).dataset['key'];
    if (key === undefined) return;
    amount.value = key === '⌫' ? amount.value.slice(0, -1) : amount.value + key;
  });
}

function offerFullScreen(counter: HTMLElement): void {
  const button = counter.querySelector<HTMLButtonElement>('[data-fullscreen]');
  if (!button || !document.fullscreenEnabled) return;
  button.hidden = false;
  button.addEventListener('click', () => {
    void (document.fullscreenElement ? document.exitFullscreen() : counter.requestFullscreen());
  });
}

/** The lock ends whenever the page is out of sight, so it is asked for again each time it is back. */
function keepAwake(): void {
  const locks = (navigator as unknown as { wakeLock?: WakeLocks }).wakeLock;
  const ask = () => {
    if (document.visibilityState === 'visible') locks?.request('screen').catch(() => {});
  };
  ask();
  document.addEventListener('visibilitychange', ask);
}

const soundKey = 'milaan-counter-sound';

/** Each payment is announced once, also across the pages of the counter: what was told is kept for the tab. */
function announcePayments(counter: HTMLElement): void {
  const list = counter.querySelector<HTMLElement>('#counter-live');
  const button = counter.querySelector<HTMLButtonElement>('[data-sound]');
  if (!list || !button) return;
  const told = new Set<string>(
    JSON.parse(sessionStorage.getItem('milaan-counter-told') ?? 'null') ?? idsIn(list),
  );
  const keep = () => sessionStorage.setItem('milaan-counter-told', JSON.stringify([...told]));
  keep();
  let audio: AudioContext | null = null;
  const sound = () => {
    audio ??= new AudioContext();
    void audio.resume();
  };
  // Browsers let a page make a sound only after a touch: the button is that touch, and so is each one after it.
  button.hidden = sessionStorage.getItem(soundKey) === 'on';
  button.addEventListener('click', () => {
    sound();
    sessionStorage.setItem(soundKey, 'on');
    button.hidden = true;
    speak(button.textContent ?? '', counter.dataset['language'] ?? 'en-IN');
  });
  addEventListener('pointerdown', () => sessionStorage.getItem(soundKey) === 'on' && sound());
  const look = () => {
    // The page is about to be left, and a voice would end with it: the next one tells.
    if (list.querySelector('[data-over]')) return;
    for (const line of [...list.querySelectorAll<HTMLElement>('[data-payment]')].reverse()) {
      const id = line.dataset['payment'] ?? '';
      if (told.has(id)) continue;
      told.add(id);
      line.classList.add('fresh');
      if (audio) chime(audio);
      if (sessionStorage.getItem(soundKey) === 'on')
        speak(line.dataset['say'] ?? '', counter.dataset['language'] ?? 'en-IN');
    }
    keep();
  };
  look();
  new MutationObserver(look).observe(list, { childList: true });
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

/** Where the device has no voice the chime says enough. */
function speak(text: string, language: string): void {
  if (!('speechSynthesis' in window) || text === '') return;
  const words = new SpeechSynthesisUtterance(text);
  words.lang = language;
  speechSynthesis.speak(words);
}
