import { keepLive } from './keep-live.ts';
import { keepTyped } from './keep-typed.ts';
import { markWords } from './mark-words.ts';
import { offerApp } from './offer-app.ts';
import { offerCopying } from './offer-copying.ts';
import { offerPasskeys } from './offer-passkeys.ts';
import { offerPushes } from './offer-pushes.ts';
import { offerSharing } from './offer-sharing.ts';
import { previewWidget } from './preview-widget.ts';
import { refuseLargeFiles } from './refuse-large-files.ts';
import { runBox } from './run-box.ts';
import { runCounter } from './run-counter.ts';
import { sayTimes } from './say-times.ts';
import { sendOnce } from './send-once.ts';
import { watchExports } from './watch-exports.ts';

sayTimes(document);
// A page left open over midnight calls nothing of yesterday today.
document.addEventListener('visibilitychange', () => sayTimes(document));
offerCopying();
offerPasskeys();
offerSharing();
runCounter();
runBox();
keepLive();
watchExports();
previewWidget();
markWords();
refuseLargeFiles();
// Before the typed text is put aside: a click that sends nothing leaves nothing either.
sendOnce();
keepTyped();
offerApp();
offerPushes();
