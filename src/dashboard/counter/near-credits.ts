import type { Queryable } from '../../base/database/connect.ts';
import { type Html, html } from '../../base/http/html.ts';
import type { World } from '../../base/world.ts';
import type { Order } from '../../orders/order.ts';
import { acceptCredit, attachByHand } from '../../payments/review/decide-by-hand.ts';
import { fitsOneTap } from '../../payments/review/one-tap.ts';
import type { Texts } from '../../texts/languages.ts';
import { hidden, linkButton } from '../frame/controls.ts';
import { icon } from '../frame/icon.ts';
import { rupees, screen } from '../frame/parts.ts';
import { actorOf } from '../frame/record-change.ts';
import { type Answer, get, notFound, post, redirect, type Visit } from '../frame/route.ts';
import { creditSource, creditSum, moneyPath } from '../payments/credit-words.ts';
import { type CreditRow, selectMoneyOfOrder } from '../payments/queries/credits.ts';
import { selectOneOrder } from '../payments/queries/orders.ts';
import { selectCounterOrder } from './queries.ts';

/** The screens that show such money. Each is also the page to return to after holding it. */
const places = {
  '/dashboard/counter': (orderId: string) => `/dashboard/counter?order=${orderId}`,
  '/dashboard/pay': (orderId: string) => `/dashboard/pay/${orderId}`,
  '/dashboard/orders': (orderId: string) => `/dashboard/orders/${orderId}`,
} as const;
type Place = keyof typeof places;

export const nearRoutes = [
  ...(Object.keys(places) as Place[]).map(place =>
    post(`${place}/:order_id/hold/:alert_id`, 'money.hold', (world, visit) => attach(world, visit, place)),
  ),
  // No recent confirmation is needed: the rule allows only a small difference without any other question.
  post('/dashboard/counter/:order_id/accept/:alert_id', 'money.decide', accept),
  get('/dashboard/counter/ask/:order_id', 'money.decide', showQuestion),
];

/** `one_tap`: the person may accept it here, without comparing and without a password. */
export type NearCredit = CreditRow & { one_tap?: boolean };

/** Undecided money with nearly this order's amount, exactly that amount after its time, or held for this order. */
export async function selectNearCredits(sql: Queryable, order: Order, now: Date): Promise<NearCredit[]> {
  const { merchant_id: merchantId, order_id: orderId } = order;
  const money = await selectMoneyOfOrder(sql, merchantId, order, now);
  const held = money.filter(
    credit => order.status === 'manual_review' && credit.state === 'attached' && credit.for_order === orderId,
  );
  return await Promise.all(
    [...held, ...nearOf(order, money)].map(async credit => ({
      ...credit,
      one_tap: await fitsOneTap(sql, merchantId, { alertId: credit.alert_id, orderId }, now),
    })),
  );
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

/** Shown next to the order, because the person there knows the customer. They hold it, or accept it. */
export function nearNotes(
  visit: Visit,
  order: Order,
  near: readonly NearCredit[],
  place: Place,
): Html | null {
  const asked = near.filter(credit => credit.state === 'open' || visit.may('money.decide'));
  if (asked.length === 0) return null;
  return html`<div class="stack" role="alert" data-near>${asked.map(credit => question(visit, order, credit, place))}</div>`;
}

function question(visit: Visit, order: Order, credit: NearCredit, place: Place): Html {
  const { near: words } = visit.texts.counter;
  const { alert_id, near_misses } = credit;
  const others = near_misses.filter(one => !one.is_paid && one.order_id !== order.order_id).length;
  return html`<section class="card asks fresh"><div class="row bare"><span class="face ask">${icon('ask')}</span><b class="who">${cameNear(words, order, credit)}</b><span class="what wrap">${creditSource(visit.texts, credit)}</span></div>
<p>${words.ask}</p>${others > 0 && html`<p class="small">${words.others({ count: others })}</p>`}
${wayOn(visit, order.order_id, alert_id, place, credit.one_tap === true)}</section>`;
}

function wayOn(visit: Visit, orderId: string, alertId: string, place: Place, oneTap: boolean): Html | null {
  const { near: words } = visit.texts.counter;
  const no =
    place === '/dashboard/counter'
      ? html`<a class="button plain" href="/dashboard/counter">${words.no}</a>`
      : null;
  const form = (action: string, text: string, values = {}) =>
    html`<div class="buttons"><form method="post" action="${action}">${hidden(values)}<button class="button wide">${text}</button></form>${no}</div>`;
  if (!visit.may('money.decide'))
    return visit.may('money.hold') ? form(`${place}/${orderId}/hold/${alertId}`, words.hold) : null;
  if (!oneTap)
    return html`<div class="buttons">${linkButton(`${moneyPath}/${alertId}/orders/${orderId}`, words.compare)}${no}</div>`;
  const next = places[place](orderId);
  return html`${form(`/dashboard/counter/${orderId}/accept/${alertId}`, words.accept, { next })}<p class="quiet">${words.noPassword}</p>`;
}

function cameNear(words: Texts['counter']['near'], { payable_paise }: Order, credit: CreditRow): string {
  const more = (credit.amount_paise ?? 0) - payable_paise;
  if (more === 0) return words.late({ sum: creditSum(credit) });
  const by = Math.abs(more) < 100 ? words.paise({ count: Math.abs(more) }) : rupees(Math.abs(more));
  return more < 0 ? words.short({ sum: creditSum(credit), by }) : words.over({ sum: creditSum(credit), by });
}

/** Accepts only money shown next to an order that this person may see, so nobody moves other money from here. */
async function attach(world: World, visit: Visit, place: Place): Promise<Answer> {
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

/** The rule checks everything again under its locks, so a second tap or another order since then changes nothing. */
async function accept(world: World, visit: Visit): Promise<Answer> {
  const { texts, form, params } = visit;
  const [orderId, alertId] = [params['order_id']!, params['alert_id']!];
  const asked = { alertId, orderId, note: '', oneTap: true };
  const refused = await world.sql.begin(tx => acceptCredit(tx, world, actorOf(visit), asked));
  const next = Object.values(places)
    .map(page => page(orderId))
    .find(page => page === form.text('next'));
  if (!refused) return redirect(next ?? `/dashboard/counter?order=${orderId}`);
  const { refusal } = refused;
  if (refusal === 'unknown_credit' || refusal === 'unknown_order') return notFound();
  const compares = refusal === 'not_one_tap' || refusal === 'maybe_counted';
  const back = compares ? `${moneyPath}/${alertId}/orders/${orderId}` : places['/dashboard/orders'](orderId);
  return redirect(back, texts.money.refusals[refusal]);
}

/** A push to the owner's phone leads here: the question that a cashier passed on, and nothing else. */
async function showQuestion(world: World, visit: Visit): Promise<Answer> {
  const { texts, merchantId, params, now } = visit;
  const order = await selectOneOrder(world.sql, merchantId, params['order_id']!, now);
  if (!order) return notFound();
  const near = await selectNearCredits(world.sql, order, now);
  const page = places['/dashboard/orders'](order.order_id);
  if (near.length === 0) return redirect(page);
  const title = texts.counter.near.title({ sum: rupees(order.payable_paise) });
  return screen(title, { back: { href: page, text: texts.payments.one.title } })`
${nearNotes(visit, order, near, '/dashboard/orders')}`;
}
