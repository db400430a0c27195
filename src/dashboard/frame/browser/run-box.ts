import { announcedBefore, followPayments, idsIn } from './announce-payments.ts';
import { keepAwake } from './run-counter.ts';
import { announce, canSpeak, chime, speak, voiceFor, voices } from './speak.ts';
import { watchSight } from './watch-sight.ts';

const troubled = [880, 660, 880, 660];

type Speech = { tag: string; test: string; blind: string; seeing: string };

/**
 * The sound box speaks each payment that comes while it is open. It also says when it cannot see any: the server cannot
 * read the bank's mails, does not answer, or no longer knows this device.
 */
export function runBox(): void {
  const box = document.querySelector<HTMLElement>('[data-box]');
  const list = box?.querySelector<HTMLElement>('#counter-live');
  const choice = box?.querySelector<HTMLSelectElement>('[data-voice]');
  if (!box || !list || !choice) return;
  const part = (name: string) => box.querySelector<HTMLElement>(`[data-${name}]`)!;
  const offered = JSON.parse(box.dataset['box'] ?? '') as Speech[];
  const named = (tag: string) => offered.find(one => one.tag === tag)!;
  let speech = named(choice.value);
  let audio: AudioContext | null = null;
  const say = (text: string, tones?: readonly number[]) => {
    if (audio) announce(audio, text, `${speech.tag}-IN`, tones);
  };
  const show = (lack: string, isLacking: boolean) => {
    part(`lack="${lack}"`).hidden = !isLacking;
  };
  const chooseVoice = () => {
    // Some browsers have voices and list none. Then only the test sentence shows whether speaking works.
    const has = ({ tag }: Speech) => voices().length === 0 || voiceFor(`${tag}-IN`) !== undefined;
    const own = named(choice.value);
    // English is the fallback for a device without a voice for the chosen language.
    speech = has(own) ? own : named('en');
    const isMute = !canSpeak || !has(speech);
    show('noSpeech', isMute);
    show('noVoice', !isMute && speech !== own);
    list.dataset['live'] = list.dataset['live']!.replace(/say=.*/, `say=${speech.tag}`);
  };
  chooseVoice();
  if (canSpeak) speechSynthesis.addEventListener('voiceschanged', chooseVoice);
  choice.addEventListener('change', () => {
    remember('voice', choice.value);
    chooseVoice();
    if (audio) speak(speech.test, `${speech.tag}-IN`);
  });
  part('paise').addEventListener('change', event =>
    remember('paise', (event.target as HTMLInputElement).checked ? 'on' : 'off'),
  );
  watchSight(box, list, isSeeing => (isSeeing ? say(speech.seeing) : say(speech.blind, troubled)));
  followPayments(list, [...(announcedBefore() ?? []), ...idsIn(list)], text => say(text));
  keepAwake(isAwake => show('asleep', !isAwake));
  const test = async (): Promise<void> => {
    audio ??= new AudioContext();
    part('before').hidden = true;
    part('test').hidden = false;
    // Called inside the touch event: some browsers block sound that starts later.
    speak(speech.test, `${speech.tag}-IN`);
    if (box.dataset['sight'] !== 'seeing') speak(speech.blind, `${speech.tag}-IN`);
    if (!document.fullscreenElement) box.requestFullscreen?.().catch(() => {});
    await audio.resume();
    chime(audio);
  };
  part('before').hidden = false;
  part('start').addEventListener('click', () => void test());
  part('test').addEventListener('click', () => void test());
}

/** A cookie of this device, because the server writes the spoken words. */
function remember(name: string, value: string): void {
  // biome-ignore lint/suspicious/noDocumentCookie: browsers at counters lack the cookie store API
  document.cookie = `milaan-${name}=${value}; path=/dashboard; max-age=31536000; samesite=lax`;
}
