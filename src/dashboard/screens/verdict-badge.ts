import type { Html } from '../../http/html.ts';
import type { Texts } from '../../texts/languages.ts';
import type { Verdict } from '../../verdicts.ts';
import { badge, type Tone } from '../components/parts.ts';

const tones: Record<Verdict, Tone> = {
  paid: 'good',
  no_order: 'warn',
  extra_payment: 'warn',
  too_late: 'warn',
  wrong_account: 'bad',
  wrong_recipient: 'bad',
  unreadable: 'warn',
  retrying: 'quiet',
  duplicate: 'quiet',
  not_a_credit: 'quiet',
  forged: 'bad',
  unjudged: 'quiet',
};

export function verdictBadge(texts: Texts, verdict: Verdict): Html {
  return badge(texts.verdicts[verdict][0], tones[verdict]);
}
