import { type Html, html } from '../../base/http/html.ts';
import { trustGates } from '../../payments/matching/queries/payments.ts';
import type { Twin } from '../../payments/matching/queries/twins.ts';
import { longestNote } from '../../payments/review/decide-by-hand.ts';
import type { Texts } from '../../texts/languages.ts';
import { sayReason } from '../../texts/say.ts';
import { unitsOfACodePoint } from '../frame/controls.ts';
import { moment, note, rupees } from '../frame/parts.ts';
import type { Visit } from '../frame/route.ts';
import type { CreditRow } from './queries/credits.ts';

export const moneyPath = '/dashboard/money';
export const decidePath = '/dashboard/payments?view=decide';

export function creditKind(credit: CreditRow): keyof Texts['money']['kinds'] {
  const { state, verdict, told_twice } = credit;
  const said = verdict === 'paid' ? 'accepted' : told_twice ? 'told_twice' : verdict;
  return state !== 'open' ? state : isOrderless(credit) ? 'orderless' : said;
}

/** Counted as a payment without an order, and no person has acted on it. */
export function isOrderless({ state, verdict, reason }: CreditRow): boolean {
  return state === 'open' && verdict === 'no_order' && reason?.code === 'taking';
}

export function creditSum({ amount_paise }: CreditRow): string {
  return amount_paise === null ? '–' : rupees(amount_paise);
}

/** The only likely order; null if there is none, or if there are several. */
export function likelyOrder(credit: CreditRow): LikelyOrder | null {
  const { verdict, order_id, near_misses, claimants, reason } = credit;
  if (isOrderless(credit)) return null;
  const says = claimants.filter(one => !one.is_paid);
  if (says.length > 1 || reason?.code === 'contested' || unpaidHolders(credit).length > 1) return null;
  if (says[0]) return { ...says[0], slip: null };
  if ((verdict === 'too_late' || verdict === 'no_order') && order_id !== null)
    return { order_id, payable_paise: null, slip: null };
  const near = near_misses.filter(one => !one.is_paid);
  const misses = near.filter(one => one.slip);
  const [only, ...others] = misses.length > 0 ? misses : near;
  return only && others.length === 0 ? { ...only, slip: only.slip ?? null } : null;
}

function unpaidHolders({ near_misses, amount_paise }: CreditRow) {
  return near_misses.filter(near => near.payable_paise === amount_paise && !near.is_paid);
}

type LikelyOrder = {
  order_id: string;
  /** Null for exactly the amount that came. */
  payable_paise: number | null;
  slip: keyof Texts['money']['slips'] | null;
};

/** A line or two about the payment for the owner, with a link to the order that it names. */
export function creditStory(texts: Texts, credit: CreditRow): Html {
  const [sentence, order = '', more = ''] = storyOf(texts, credit);
  return html`${order === '' ? sentence : linked(texts, sentence, order)}${more}`;
}

type Story = [sentence: string, order?: string, more?: string];

function storyOf({ tag, money: { says, slips } }: Texts, credit: CreditRow): Story {
  const { state, verdict, reason, near_misses } = credit;
  const [forOrder, order] = [credit.for_order ?? '', credit.order_id ?? ''];
  if (state === 'to_give_back') return [says.to_give_back({ order: forOrder }), forOrder];
  if (state === 'attached')
    return [says.attached({ order: forOrder, sum: rupees(credit.for_paise ?? 0) }), forOrder];
  if (isOrderless(credit)) return [says.orderless];
  if (credit.told_twice && reason?.code !== 'maybe_counted')
    return order === '' ? [says.possibleDuplicate] : [says.duplicateOf({ order }), order];
  if (verdict === 'extra_payment') return [says.extra_payment({ order }), order];
  const late = unpaidHolders(credit).length;
  if (verdict === 'too_late' && late > 1) return [says.lateForSeveral({ count: late })];
  if (verdict === 'too_late') return [says.too_late({ order }), order];
  if (verdict === 'no_order' && order !== '') {
    if (reason?.code === 'not_arrived') return [says.not_arrived({ order }), order];
    return [reason && reason.code !== 'declined' ? sayReason(tag, reason) : says.declined({ order }), order];
  }
  if (reason?.code === 'claimed_by_several') return [sayReason(tag, reason)];
  const likely = likelyOrder(credit);
  if (likely !== null) {
    const { order_id: id, payable_paise: paise, slip } = likely;
    return [says.likely({ order: id, sum: rupees(paise ?? 0) }), id, slip === null ? '' : ` ${slips[slip]}`];
  }
  const unpaid = near_misses.filter(near => !near.is_paid).length;
  if (unpaid > 0) return [says.several({ count: unpaid })];
  const paid = near_misses[0]?.order_id;
  return paid === undefined ? [says.no_order] : [says.paidByAnother({ order: paid }), paid];
}

/** Replaces the order's id by a link "this order", so the word before the id goes too. */
function linked({ money }: Texts, sentence: string, orderId: string): Html {
  const plain = ['order ', 'ऑर्डर '].reduce(
    (said, word) => said.replaceAll(word + orderId, orderId),
    sentence,
  );
  const [before = '', ...after] = plain.split(orderId);
  const name = before === '' ? money.thisOrderFirst : money.thisOrder;
  return html`${before}<a href="/dashboard/orders/${orderId}">${name}</a>${after.join(name)}`;
}

export function creditSource({ money }: Texts, { payer, alert_time, arrived_at }: CreditRow): Html {
  return html`${payer === null ? money.unknownPayer : html`<bdi>${payer}</bdi>`} · ${moment(alert_time ?? arrived_at)}`;
}

/** Whether it has exactly the order's amount and waits until a person finds it in the bank account. */
export function isSearchedFor(credit: CreditRow, orderId: string): boolean {
  const { state, reason, found_by, for_order, order_id } = credit;
  const isGated = trustGates.some(gate => gate === reason?.code) && order_id === orderId;
  return state === 'attached' && found_by === 'exact' && for_order === orderId && isGated;
}

/** Why this credit may be the order's: a typed reference, the exact sum, late money or a likely mistake. */
export function whyTogether(texts: Texts, credit: CreditRow, orderId: string): Html | null {
  const { money, tag } = texts;
  if (credit.found_by === 'reference' && credit.for_order === orderId) return html`${money.byReference}`;
  if (credit.found_by === 'exact' && credit.for_order === orderId && credit.reason)
    return linked(texts, sayReason(tag, credit.reason), orderId);
  if (credit.verdict === 'too_late' && credit.order_id === orderId)
    return linked(texts, money.says.too_late({ order: orderId }), orderId);
  const kind = credit.near_misses.find(near => near.order_id === orderId)?.slip;
  return kind ? html`${money.slips[kind]}` : null;
}

/** Credits that may be this same payment. Only the bank's app shows whether the money came once or twice. */
export function twinList({ texts }: Visit, twins: readonly Twin[]): Html | null {
  const words = texts.money.possibleDuplicate;
  if (twins.length === 0) return null;
  const list = twins.map(({ alert_id: id, order_id: order, verdict, amount_paise: sum, alert_time: at }) => {
    if (id === 'elsewhere') return html`<li>${words.elsewhere}</li>`;
    const isHeld = verdict === 'unreadable';
    const path = order ? `/dashboard/orders/${order}` : `${moneyPath}/${isHeld ? 'held/' : ''}${id}`;
    return html`<li><a href="${path}">${order ?? words.other}</a> · ${isHeld ? words.held : rupees(sum ?? 0)}${at && html` · ${moment(at)}`}</li>`;
  });
  const body = html`<p><strong>${texts.money.kinds.told_twice}</strong> ${words.text}</p><ul class="plain-list">${list}</ul>`;
  return note(body, 'warn');
}

/** The checkbox "this is another payment than those", if one of the twins settled something. */
export function twinField({ texts }: Visit, twins: readonly Twin[]): Html | null {
  const ids = twins.filter(one => one.asks).map(one => one.alert_id);
  if (ids.length === 0) return null;
  return html`<div class="choice"><input type="checkbox" id="seen" name="seen" value="${ids.join(' ')}"><div><label for="seen">${texts.money.possibleDuplicate.two}</label></div></div>`;
}

/** An optional note, folded until somebody opens it. `id` keeps two forms on one page apart. */
export function noteField({ texts }: Visit, id: string, isOpen = false): Html {
  const { note, addNote } = texts.money;
  const area = html`<div class="field"><label for="${id}">${note}</label>
<textarea id="${id}" name="note" rows="2" maxlength="${longestNote * unitsOfACodePoint}"></textarea></div>`;
  if (isOpen) return area;
  return html`<details id="${id}-more"><summary>${addNote}</summary>${area}</details>`;
}
