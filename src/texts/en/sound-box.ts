/** Whether the counter and the sound box see payments, and why not. */
export const sight = {
  titles: {
    blind: 'Bank emails cannot be read.',
    full: 'Your plan’s monthly limit is used up.',
    lost: 'No internet.',
    out: 'You are signed out.',
  },
  why: {
    blind: 'New payments are not shown. Check your bank’s app before you hand anything over.',
    full: 'Payments without an order are not announced. Check your bank’s app before you hand anything over.',
    lost: 'Payments are not shown until it is back.',
    out: 'Or this phone may no longer see payments.',
  },
} as const;

/** Payments by the QR code on the wall, which belong to no order. */
export const announce = {
  ask: 'Also announce payments made with your wall QR?',
  text: 'They appear at the counter and count in your day and your plan’s month. Without this they wait for you under Payments.',
  yes: 'Yes',
  no: 'No',
  isOn: 'Payments with your wall QR are announced.',
  isOff: 'Payments with your wall QR wait for you under Payments.',
} as const;

/** The sound box: a second device that shows and says what came in. What is spoken says nothing else than is heard. */
export const box = {
  title: 'Sound box',
  start: 'Start',
  startText:
    'This phone is silent until you press Start. Then it says a test sentence: make it louder until everybody hears it.',
  test: 'Say the test sentence',
  voice: 'Voice',
  sayPaise: 'Say paise too',
  noScript: 'The sound box needs JavaScript, which this browser does not run.',
  seeing: 'Listening',
  seeingCounter: 'Announcing orders only. Wall QR payments stay silent.',
  notListening: 'Not listening:',
  signIn: 'Sign in again',
  noVoice:
    'This phone has no voice for your language, so it speaks English. You can add a voice in its settings, under “text-to-speech”.',
  noSpeech: 'This browser cannot speak: you hear tones only. Chrome can.',
  asleep:
    'This browser cannot keep the screen on. In the phone’s settings choose the longest time until the screen turns off.',
} as const;

/** The posters' words. A poster has them in every language. */
export const posters = {
  poster: 'QR poster',
  size: 'Size',
  sizes: { a4: 'A4', a5: 'A5', stickers: 'Stickers', tent: 'Stand' },
  hints: {
    a4: 'One sheet of A4 for the wall.',
    a5: 'One sheet of A5, or an A4 printer set to A5.',
    stickers: 'Four on a sheet of A4, as paper to glue or on sticker paper. Cut along the lines.',
    tent: 'One sheet of A4. Fold it at the line and put it on a table: it can be read from both sides.',
  },
  print: 'Print or save as PDF',
  others: 'Another poster',
  noneTitle: 'Nothing to print yet',
  noneText: 'Add a UPI ID or make a payment link first.',
  scan: 'Scan and pay',
  anyApp: 'with any UPI app',
  steps: ['Open the camera of your phone', 'Point it at the code and tap the link', 'Pay by UPI'],
  camera: 'With the camera, not with a UPI app',
  ofAccount: 'QR code of this UPI ID',
  whichAccount:
    'Every UPI app scans this poster, and the customer types the sum. Such a payment belongs to no order. If each payment must belong to an order, print the poster of a payment link.',
  whichLink:
    'The phone’s camera opens your link, where each customer gets a sum of their own. UPI apps may refuse a web address. If anybody pays anything at your counter, print the poster of your UPI ID.',
} as const;
