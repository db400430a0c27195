export const canSpeak = 'speechSynthesis' in window;

export function voices(): SpeechSynthesisVoice[] {
  return canSpeak ? speechSynthesis.getVoices() : [];
}

/** A voice of this device. One without network is preferred, because it must also say that the network is down. */
export function voiceFor(language: string): SpeechSynthesisVoice | undefined {
  const named = (voice: SpeechSynthesisVoice) => voice.lang.replace('_', '-');
  const rank = (voice: SpeechSynthesisVoice) =>
    Number(voice.localService) * 2 + Number(named(voice) === language);
  return voices()
    .filter(voice => named(voice).slice(0, 2) === language.slice(0, 2))
    .sort((a, b) => rank(b) - rank(a))[0];
}

/** Without a voice on the device the chime is enough. */
export function speak(text: string, language = 'en-IN'): void {
  if (!canSpeak || text === '') return;
  const words = new SpeechSynthesisUtterance(text);
  words.lang = language;
  words.voice = voiceFor(language) ?? null;
  speechSynthesis.speak(words);
}

/** A chime, then the words. A locked audio context would keep its tones and play them much later. */
export function announce(
  audio: AudioContext | null,
  text: string,
  language?: string,
  tones?: readonly number[],
) {
  if (audio?.state === 'running') chime(audio, tones);
  speak(text, language);
}

export function hush(): void {
  if (canSpeak) speechSynthesis.cancel();
}

/** Two tones, up for money and down for trouble: loud enough for a shop, and over before the next customer speaks. */
export function chime(audio: AudioContext, tones: readonly number[] = [660, 880]): void {
  tones.forEach((frequency, at) => {
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
