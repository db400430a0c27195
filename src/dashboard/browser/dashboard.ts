import { watchExports } from './export-orders.ts';
import { keepLive } from './keep-live.ts';
import { offerCopying } from './offer-copying.ts';
import { offerPasskeys } from './offer-passkeys.ts';
import { previewWidget } from './preview-widget.ts';
import { showLocalTimes } from './show-local-times.ts';

showLocalTimes(document);
offerCopying();
offerPasskeys();
keepLive();
watchExports();
previewWidget();
