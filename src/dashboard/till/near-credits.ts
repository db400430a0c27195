import type { Queryable } from '../../base/database/connect.ts';
import { type Html, html, trusted } from '../../base/http/html.ts';
import type { World } from '../../base/world.ts';
import { isTooMuch, moneyRules } from '../../business/merchants/money-rules.ts';
import type { Order } from '../../orders/order.ts';
import { sayAdded } from '../../orders/page/format-amount.ts';
import { linkOf, paymentUrl } from '../../orders/present-order.ts';
import { qrSvg } from '../../orders/qr-code.ts';
import { attachByHand } from '../../payments/review/attach-by-hand.ts';
import type { Texts } from '../../texts/languages.ts';
import { sayTime } from '../../texts/say-time.ts';
import { copyable, linkButton, postButton } from '../frame/controls.ts';
import { card, facts, moment, note, pageHead, rupees, statusBadge, titledCard } from '../frame/parts.ts';
import { doerOf } from '../frame/record-change.ts';
import { type Answer, notFound, post, redirect, type Visit } from '../frame/route.ts';
import { creditSource, creditSum } from '../money/credit-words.ts';
import { moneyPath } from '../money/money-head.ts';
import { type CreditRow, selectMoneyOfOrder } from '../money/queries/money.ts';
import { selectOneOrder } from '../orders/queries.ts';
import { selectTillOrder, type TillOrder } from './queries.ts';

/** Where such money is told of. Whoever holds it there comes back there. */
const places = {
  '/dashboard/counter': (orderId: string) => `/dashboard/counter?order=${orderId}`,
  '/dashboard/pay': (orderId: string) => `/dashboard/pay/${orderId}`,
  '/dashboard/orders': (orderId: string) => `/dashboard/orders/${orderId}`,
} as const;
type Place = keyof typeof places;

export const nearRoutes = (Object.keys(places) as Place[]).map(place =>
  post(`${place}/:order_id/hold/:alert_id`, 'money.hold', (world, visit) => hold(world, visit, place)),
);

/** Money that is nearly this order's sum, or that sum after its time, and that nobody has decided about yet. */
export async function selectNearCredits(sql: Queryable, order: Order, now: Date): Promise<CreditRow[]> {
  return nearOf(order, await selectMoneyOfOrder(sql, order.merchant_id, order, now));
}

export function nearOf(order: Order, money: readonly CreditRow[]): CreditRow[] {
  if (order.status !== 'pending' && order.status !== 'expired') return [];
  return money.filter(
    ({ state, verdict, near_misses, amount_paise, done_by }) =>
      state === 'open' &&
      (done_by === null || done_by === 'milaan') &&
      near_misses.some(
        one =>
          one.order_id === order.order_id &&
          verdict === (one.payable_paise === amount_paise ? 'too_late' : 'no_order'),
      ),
  );
}

/** Said beside the order: whoever stands there knows whose it is. A person holds it, or compares and accepts it. */
export function nearNotes(visit: Visit, order: Order, near: readonly CreditRow[], place: Place): Html | null {
  if (near.length === 0) return null;
  return html`<div class="stack" role="alert" data-near>${near.map(credit => nearNote(visit, order, credit, place))}</div>`;
}

function nearNote(visit: Visit, order: Order, credit: CreditRow, place: Place): Html {
  const { till: words } = visit.texts;
  const { alert_id, near_misses } = credit;
  const others = near_misses.filter(one => !one.is_paid && one.order_id !== order.order_id).length;
  const way = visit.may('money.decide')
    ? linkButton(`${moneyPath}/${alert_id}/orders/${order.order_id}`, words.near.compare)
    : visit.may('money.hold') &&
      postButton(`${place}/${order.order_id}/hold/${alert_id}`, words.near.hold, { plain: false });
  return note(
    html`<p><strong>${cameNear(words, order, credit)}</strong></p><p class="quiet">${creditSource(visit.texts, credit)}</p>
${others > 0 && html`<p>${words.near.others(others)}</p>`}${way && html`<div class="note-link">${way}</div>`}`,
  );
}

function cameNear({ near }: Texts['till'], { payable_paise }: Order, credit: CreditRow): string {
  const more = (credit.amount_paise ?? 0) - payable_paise;
  if (more === 0) return near.late(creditSum(credit));
  const by = Math.abs(more) < 100 ? near.paise(Math.abs(more)) : rupees(Math.abs(more));
  return more < 0 ? near.short(creditSum(credit), by) : near.over(creditSum(credit), by);
}

/** Only what was shown beside the order, where they may see it: nobody moves other money from here. */
async function hold(world: World, visit: Visit, place: Place): Promise<Answer> {
  const { merchantId, params, now, texts } = visit;
  const isAnyOrder = place === '/dashboard/orders';
  if (isAnyOrder && !visit.may('business.read')) return notFound();
  const select = isAnyOrder ? selectOneOrder : selectTillOrder;
  const order = await select(world.sql, merchantId, params['order_id'] ?? '', now);
  if (!order) return notFound();
  const near = await selectNearCredits(world.sql, order, now);
  const credit = near.find(one => one.alert_id === params['alert_id']);
  const back = places[place](order.order_id);
  const { refusals } = texts.money;
  if (!credit) return redirect(back, refusals.credit_taken);
  // Whoever may not decide leaves it to somebody who may, and these are told.
  const asked = { alertId: credit.alert_id, orderId: order.order_id, isTold: !visit.may('money.decide') };
  const refused = await world.sql.begin(tx => attachByHand(tx, world, doerOf(visit), asked));
  if (refused) return redirect(back, refusals[refused.refusal]);
  return place === '/dashboard/counter' ? redirect(back) : redirect(back, texts.till.near.held);
}

/** One payment that is being taken: what to show the customer, what to send, and the word when it is paid. */
export function paymentPage(visit: Visit, order: TillOrder, near: readonly CreditRow[], baseUrl: string) {
  const { texts } = visit;
  const words = texts.till;
  const url = paymentUrl(baseUrl, order.pay_token);
  const isOpen = order.status === 'pending';
  const live = `/dashboard/pay/${order.order_id}/state`;
  return html`${pageHead(order.purpose || words.payment)}
<div id="till-state" class="stack" aria-live="polite"${order.status !== 'paid' && html` data-live="${live}"`}>${paymentState(visit, order, near)}</div>
${tooMuchNote(texts, order)}
${
  isOpen &&
  card(html`<div class="till-qr"><p class="figure">${words.payExactly(rupees(order.payable_paise))}</p><p class="quiet">${sayAdded(words.added, order)}</p>
<div class="proof-qr" role="img" aria-label="${words.qr(rupees(order.payable_paise))}">${trusted(qrSvg(linkOf(order)))}</div>
<p class="quiet">${words.until}: ${moment(order.expires_at)}</p></div>`)
}
${
  isOpen &&
  titledCard({ title: words.send })`
<p>${copyable(texts, 'till-link', url, words.link)}</p>${shareButtons(texts, words.shareText(visit.business.name, rupees(order.payable_paise)), url)}`
}`;
}

type Asked = Pick<Order, 'status' | 'account_kind' | 'payable_paise'>;

/** Before anybody waits for a payment that apps decline. */
export function tooMuchNote({ till }: Texts, order: Asked): Html | null {
  if (order.status !== 'pending' || !isTooMuch(order)) return null;
  return note(till.tooMuch(rupees(moneyRules.personalPayment.paise)), 'bad');
}

/** The part that changes by itself. Once paid it is the receipt. */
export function paymentState(visit: Visit, order: TillOrder, near: readonly CreditRow[]): Html {
  const { texts, business } = visit;
  const words = texts.till;
  if (order.status !== 'paid' || order.paid_at === null)
    return html`<p${order.status !== 'pending' && html` class="till-closed"`}>${statusBadge(texts, order.status)} ${order.status === 'pending' ? words.waiting : order.status === 'expired' ? (near.length === 0 ? words.expired : words.timeOver) : ''}</p>${nearNotes(visit, order, near, '/dashboard/pay')}`;
  return html`<div data-over="/dashboard/pay/${order.order_id}">${paidPanel(texts, order)}</div>
<section class="card receipt"><div class="card-head"><h2>${words.receipt}</h2></div>
${facts([
  [texts.labels.shop, html`<bdi>${business.name}</bdi>`],
  [words.purpose, order.purpose !== '' && html`<bdi>${order.purpose}</bdi>`],
  [texts.labels.customer, order.customer?.name !== undefined && html`<bdi>${order.customer.name}</bdi>`],
  [texts.labels.received, rupees(order.received_paise ?? order.payable_paise)],
  [texts.orders.asked, sayAdded(words.added, order)],
  // On paper "today" says nothing: the whole date, whatever the script does.
  [words.paidAt, sayTime(texts.tag, order.paid_at)],
  [texts.labels.bankReference, order.bank_reference ?? '–'],
  [texts.labels.order, order.order_id],
])}
<div class="actions"><button type="button" class="button plain" data-print hidden>${words.print}</button></div></section>`;
}

/** The moment everybody at the counter waits for: seen from across it, and by colour alone of nothing else. */
export function paidPanel({ till }: Texts, order: TillOrder): Html {
  const about = [order.purpose, order.customer?.name].filter(Boolean).join(', ');
  const sum = rupees(order.received_paise ?? order.payable_paise);
  return html`<div class="paid-panel"><span class="paid-tick" aria-hidden="true">✓</span>
<p class="paid-sum${sum.length > 9 && ' long'}"><strong>${till.paid(sum)}</strong></p>
${about !== '' && html`<p><bdi>${about}</bdi></p>`}</div>`;
}

/** To the customer: WhatsApp by its own address, and whatever the device offers where a script can ask it. */
export function shareButtons({ till }: Texts, text: string, url: string): Html {
  const message = `${text} ${url}`;
  return html`<div class="actions"><a class="button plain" href="https://wa.me/?text=${encodeURIComponent(message)}" target="_blank" rel="noreferrer">${till.whatsapp}</a>
<button type="button" class="button plain" data-share="${url}" data-share-text="${text}" hidden>${till.share}</button></div>`;
}
