import { build } from './reasons/build.ts';
import { deeds } from './reasons/deeds.ts';
import { judging } from './reasons/judging.ts';
import { mailboxes } from './reasons/mailboxes.ts';
import { matching } from './reasons/matching.ts';
import { noCredit } from './reasons/no-credit.ts';
import { webhooks } from './reasons/webhooks.ts';
import { wording } from './reasons/wording.ts';

/** Every reason there is, by its code. A fact stands in braces by its name. */
export const reasons = {
  ...matching,
  ...judging,
  ...build,
  ...wording,
  ...noCredit,
  ...mailboxes,
  ...webhooks,
  ...deeds,
} as const;
