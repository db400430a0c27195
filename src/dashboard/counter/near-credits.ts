import type { Queryable } from '../../base/database/connect.ts';
import { type Html, html } from '../../base/http/html.ts';
import type { World } from '../../base/world.ts';
import type { Order } from '../../orders/order.ts';
import { attachByHand } from '../../payments/review/decide-by-hand.ts';
import type { Texts } from '../../texts/languages.ts';
import { linkButton, postButton } from '../frame/controls.ts';
import { note, rupees } from '../frame/parts.ts';
import { actorOf } from '../frame/record-change.ts';
import { type Answer, notFound, post, redirect, type Visit } from '../frame/route.ts';
import { creditSource, creditSum, moneyPath } from '../money/credit-words.ts';
import { type CreditRow, selectMoneyOfOrder } from '../money/queries/money.ts';
import { selectOneOrder } from '../orders/queries.ts';
import { selectCounterOrder } from './queries.ts';

/** The screens that show such money. Each is also the page to return to after holding it. */
const places = {
  '/dashboard/counter': (orderId: string) => `/dashboard/counter?order=${orderId}`,
  '/dashboard/pay': (orderId: string) => `/dashboard/pay/${orderId}`,
  '/dashboard/orders': (orderId: string) => `/dashboard/orders/${orderId}`,
} as const;
type Place = keyof typeof places;

export const nearRoutes = (Object.keys(places) as Place[]).map(place =>
  post(`${place}/:order_id/hold/:alert_id`, 'money.hold', (world, visit) => hold(world, visit, place)),
);

/** Undecided money with nearly this order's amount, or exactly that amount after its time. */
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

/** Shown next to the order, because the person there knows the customer. They hold it, or compare and accept it. */
export function nearNotes(visit: Visit, order: Order, near: readonly CreditRow[], place: Place): Html | null {
  if (near.length === 0) return null;
  return html`<div class="stack" role="alert" data-near>${near.map(credit => nearNote(visit, order, credit, place))}</div>`;
}

function nearNote(visit: Visit, order: Order, credit: CreditRow, place: Place): Html {
  const { counter: words } = visit.texts;
  const { alert_id, near_misses } = credit;
  const others = near_misses.filter(one => !one.is_paid && one.order_id !== order.order_id).length;
  const way = visit.may('money.decide')
    ? linkButton(`${moneyPath}/${alert_id}/orders/${order.order_id}`, words.near.compare)
    : visit.may('money.hold') &&
      postButton(`${place}/${order.order_id}/hold/${alert_id}`, words.near.hold, { plain: false });
  return note(
    html`<p><strong>${cameNear(words, order, credit)}</strong></p><p class="quiet">${creditSource(visit.texts, credit)}</p>
${others > 0 && html`<p>${words.near.others({ count: others })}</p>`}${way && html`<div class="note-link">${way}</div>`}`,
  );
}

function cameNear({ near }: Texts['counter'], { payable_paise }: Order, credit: CreditRow): string {
  const more = (credit.amount_paise ?? 0) - payable_paise;
  if (more === 0) return near.late({ sum: creditSum(credit) });
  const by = Math.abs(more) < 100 ? near.paise({ count: Math.abs(more) }) : rupees(Math.abs(more));
  return more < 0 ? near.short({ sum: creditSum(credit), by }) : near.over({ sum: creditSum(credit), by });
}

/** Accepts only money shown next to an order that this person may see, so nobody moves other money from here. */
async function hold(world: World, visit: Visit, place: Place): Promise<Answer> {
  const { merchantId, params, now, texts } = visit;
  const isAnyOrder = place === '/dashboard/orders';
  if (isAnyOrder && !visit.may('business.read')) return notFound();
  const select = isAnyOrder ? selectOneOrder : selectCounterOrder;
  const order = await select(world.sql, merchantId, params['order_id'] ?? '', now);
  if (!order) return notFound();
  const near = await selectNearCredits(world.sql, order, now);
  const credit = near.find(one => one.alert_id === params['alert_id']);
  const back = places[place](order.order_id);
  const { refusals } = texts.money;
  if (!credit) return redirect(back, refusals.credit_taken);
  // A person who may not decide passes it to those who may, and these are notified.
  const asked = { alertId: credit.alert_id, orderId: order.order_id, asksOwner: !visit.may('money.decide') };
  const refused = await world.sql.begin(tx => attachByHand(tx, world, actorOf(visit), asked));
  if (refused) return redirect(back, refusals[refused.refusal]);
  return place === '/dashboard/counter' ? redirect(back) : redirect(back, texts.counter.near.held);
}
