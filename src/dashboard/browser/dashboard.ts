import { offerCopying } from './offer-copying.ts';
import { offerPasskeys } from './offer-passkeys.ts';
import { showLocalTimes } from './show-local-times.ts';

showLocalTimes(document);
offerCopying();
offerPasskeys();
