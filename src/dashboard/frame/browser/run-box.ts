import { announcedBefore, followPayments, idsIn } from './announce-payments.ts';
import { keepAwake } from './run-counter.ts';
import { canSpeak, chime, speak, voiceFor, voices } from './speak.ts';

/** It asks every second, and gives a question up before this. */
const lostAfter = 10_000;
const troubled = [880, 660, 880, 660];

type Speech = { tag: string; test: string; blind: string; seeing: string };

/**
 * The sound box: says each payment that comes while it is open, and says when it cannot see any: the server cannot read
 * the bank's mails, or no longer answers this device, or no longer knows it.
 */
export function runBox(): void {
  const box = document.querySelector<HTMLElement>('[data-box]');
  const list = box?.querySelector<HTMLElement>('#counter-live');
  if (!box || !list) return;
  const part = (name: string) => box.querySelector<HTMLElement>(`[data-${name}]`)!;
  const [own, english] = JSON.parse(box.dataset['box'] ?? '') as [Speech, Speech];
  let speech = own;
  let audio: AudioContext | null = null;
  const say = (text: string, tones?: readonly number[]) => {
    if (!audio) return;
    if (audio.state === 'running') chime(audio, tones);
    speak(text, `${speech.tag}-IN`);
  };
  const show = (lack: string, isLacking: boolean) => {
    part(`lack="${lack}"`).hidden = !isLacking;
  };
  const chooseVoice = () => {
    // Some browsers name no voices and have them: then only the test sentence tells.
    const has = ({ tag }: Speech) => voices().length === 0 || voiceFor(`${tag}-IN`) !== undefined;
    speech = has(own) ? own : english;
    const isMute = !canSpeak || !has(speech);
    show('noSpeech', isMute);
    show('noVoice', !isMute && speech !== own);
    list.dataset['live'] = list.dataset['live']!.replace(/say=.*/, `say=${speech.tag}`);
  };
  chooseVoice();
  if (canSpeak) speechSynthesis.addEventListener('voiceschanged', chooseVoice);
  const watch = watchSight(box, list, isSeeing =>
    isSeeing ? say(speech.seeing) : say(speech.blind, troubled),
  );
  followPayments(list, [...(announcedBefore() ?? []), ...idsIn(list)], text => say(text));
  keepAwake(isAwake => show('asleep', !isAwake));
  const test = async (): Promise<void> => {
    audio ??= new AudioContext();
    part('before').hidden = true;
    part('test').hidden = false;
    // In the touch itself: some browsers let nothing sound that comes a moment later.
    speak(speech.test, `${speech.tag}-IN`);
    if (!watch.isSeeing()) speak(speech.blind, `${speech.tag}-IN`);
    if (!document.fullscreenElement) box.requestFullscreen?.().catch(() => {});
    await audio.resume();
    chime(audio);
  };
  part('before').hidden = false;
  part('start').addEventListener('click', () => void test());
  part('test').addEventListener('click', () => void test());
}

/** Shows at any moment whether payments can be seen, and tells when that turns. */
function watchSight(box: HTMLElement, list: HTMLElement, report: (isSeeing: boolean) => void) {
  let heard = performance.now();
  let isOut = false;
  let shown = '';
  const look = () => {
    // A link that somebody touched would keep the list from being renewed, and would lead away.
    for (const link of list.querySelectorAll('a')) link.replaceWith(...link.childNodes);
    const sum = list.querySelector('strong');
    sum?.classList.toggle('long', (sum.textContent ?? '').length > 9);
    const isLost = performance.now() - heard > lostAfter;
    const blind = list.querySelector<HTMLElement>('[data-blind]')?.dataset['blind'];
    const now = isOut ? 'out' : isLost ? 'lost' : (blind ?? 'seeing');
    if (now === shown) return;
    const turned = shown !== '' && (now === 'seeing') !== (shown === 'seeing');
    shown = now;
    for (const state of box.querySelectorAll<HTMLElement>('[data-when]'))
      state.hidden = state.dataset['when'] !== now;
    if (turned) report(now === 'seeing');
  };
  list.addEventListener('answer', event => {
    isOut = (event as CustomEvent<'good' | 'out'>).detail === 'out';
    if (!isOut) heard = performance.now();
  });
  look();
  setInterval(look, 1_000);
  new MutationObserver(look).observe(list, { childList: true });
  return { isSeeing: () => shown === 'seeing' };
}
