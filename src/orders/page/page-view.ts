import type { Html } from '../../base/http/html.ts';
import type { Phone } from './app-links.ts';
import type { PageFiles, PageTexts } from './page-frame.ts';
import type { PageOrder } from './queries.ts';
/** What the customer sees. The script moves between them by the same rule (`browser/page.ts`). */
export type PageState = 'pending' | 'paid' | 'expired' | 'late' | 'over' | 'failed' | 'review' | 'unpayable';

/** `unclear` is a text in which no reference was found. */
export type Claim = 'open' | 'sent' | { unclear: string };

export type PageView = {
  order: PageOrder;
  now: Date;
  texts: PageTexts;
  phone: Phone;
  /** Shown inside another app, such as Instagram. */
  insideApp: boolean;
  paymentUrl: string;
  /** The customer said that they have paid, or wants their receipt: the page waits instead of going back to the shop. */
  stays: boolean;
  /** The form for the reference of a payment that the page waits for: open, open again, or sent. */
  claim: Claim | null;
  /** An app button led back here because the app is not installed. */
  appMissing: boolean;
  blind: boolean;
  files: PageFiles;
  extra: Html | null;
};
