/** The sound box: a second device that shows and says what came in. What is spoken says nothing else than is heard. */
export const box = {
  use: 'Use this phone as the sound box',
  title: 'Sound box',
  start: 'Start',
  startText:
    'This phone is silent until you press Start. Then it says a test sentence: make it louder until everybody hears it.',
  test: 'Say the test sentence',
  noScript: 'The sound box needs JavaScript, which this browser does not run.',
  seeing: 'I see payments',
  blind: 'I cannot see payments now',
  why: {
    blind: 'Your bank’s mails cannot be read. Look into your bank’s app before you hand anything over.',
    lost: 'This phone does not reach {service}. Check its internet. Look into your bank’s app before you hand anything over.',
    out: 'This phone is signed out, or no longer allowed to see payments.',
  },
  signIn: 'Sign in again',
  noVoice:
    'This phone has no voice for your language, so it speaks English. You can add a voice in its settings, under “text-to-speech”.',
  noSpeech: 'This browser cannot speak: you hear tones only. Chrome can.',
  asleep:
    'This browser cannot keep the screen on. In the phone’s settings choose the longest time until the screen turns off.',
} as const;
