import { announcedBefore, followPayments, idsIn } from './announce-payments.ts';
import { keepAwake } from './run-counter.ts';
import { canSpeak, chime, speak, voiceFor, voices } from './speak.ts';

/** The box asks every second and gives up a request after this. */
const lostAfter = 10_000;
const troubled = [880, 660, 880, 660];

type Speech = { tag: string; test: string; blind: string; seeing: string };

/**
 * The sound box speaks each payment that comes while it is open. It also says when it cannot see any: the server cannot
 * read the bank's mails, does not answer, or no longer knows this device.
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
    // Some browsers have voices and list none. Then only the test sentence shows whether speaking works.
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
    // Called inside the touch event: some browsers block sound that starts later.
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

/** Always shows whether payments can be seen, and reports each change. */
function watchSight(box: HTMLElement, list: HTMLElement, report: (isSeeing: boolean) => void) {
  let heard = performance.now();
  let isOut = false;
  let shown = '';
  const look = () => {
    // A focused link would stop the list's refresh, and a tap on it would leave the box.
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
