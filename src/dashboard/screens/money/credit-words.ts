import type { Html } from '../../../http/html.ts';
import type { Texts } from '../../../texts/languages.ts';
import { badge, type Tone } from '../../components/badge.ts';
import type { CreditRow } from '../../queries/money.ts';
import { rupees } from '../rupees.ts';

const tones: Record<keyof Texts['money']['kinds'], Tone> = {
  no_order: 'warn',
  too_late: 'warn',
  extra_payment: 'warn',
  attached: 'warn',
  to_give_back: 'bad',
  given_back: 'quiet',
  kept: 'quiet',
  accepted: 'good',
};

/** Why it is here while nobody has looked at it, and how far somebody has come since. */
export function creditBadge(texts: Texts, { state, verdict }: CreditRow): Html {
  const kind = state !== 'open' ? state : verdict === 'paid' ? 'accepted' : verdict;
  return badge(texts.money.kinds[kind], tones[kind]);
}

export function creditSum({ amount_paise }: CreditRow): string {
  return amount_paise === null ? '–' : rupees(amount_paise);
}

/** The one order that it is most likely for; null where there is none, or where there are several. */
export function likelyOrder({ verdict, order_id, near_misses }: CreditRow): LikelyOrder | null {
  if (verdict === 'too_late' && order_id !== null) return { order_id, payable_paise: null, slip: null };
  const near = near_misses ?? [];
  const slips = near.filter(one => one.slip);
  const [only, ...others] = slips.length > 0 ? slips : near;
  return only && others.length === 0 ? { ...only, slip: only.slip ?? null } : null;
}

type LikelyOrder = {
  order_id: string;
  /** Null: the very sum that came. */
  payable_paise: number | null;
  slip: keyof Texts['money']['slips'] | null;
};

/** What an owner reads about it in a line or two. */
export function creditStory(texts: Texts, credit: CreditRow): string[] {
  const { says, slips } = texts.money;
  const { state, verdict, for_order, order_id, near_misses } = credit;
  if (state === 'to_give_back') return [says.to_give_back(for_order ?? '')];
  if (verdict === 'extra_payment') return [says.extra_payment(order_id ?? '')];
  if (verdict === 'too_late') return [says.too_late(order_id ?? '')];
  const likely = likelyOrder(credit);
  if (likely !== null)
    return [
      says.likely(likely.order_id, rupees(likely.payable_paise ?? 0)),
      ...(likely.slip === null ? [] : [slips[likely.slip]]),
    ];
  return (near_misses ?? []).length > 0 ? [says.several(near_misses!.length)] : [says.no_order];
}
