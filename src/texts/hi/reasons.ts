import type { TextSet } from '../texts.ts';
import { build } from './reasons/build.ts';
import { deeds } from './reasons/deeds.ts';
import { judging } from './reasons/judging.ts';
import { mailboxes } from './reasons/mailboxes.ts';
import { matching } from './reasons/matching.ts';
import { noCredit } from './reasons/no-credit.ts';
import { webhooks } from './reasons/webhooks.ts';
import { wording } from './reasons/wording.ts';

export const reasons: TextSet['reasons'] = {
  ...matching,
  ...judging,
  ...build,
  ...wording,
  ...noCredit,
  ...mailboxes,
  ...webhooks,
  ...deeds,
};
