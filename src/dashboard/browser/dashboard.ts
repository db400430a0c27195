import { offerCopying } from './offer-copying.ts';
import { showLocalTimes } from './show-local-times.ts';

showLocalTimes(document);
offerCopying();
