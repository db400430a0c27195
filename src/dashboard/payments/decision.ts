import { later } from '../../base/clock.ts';
import type { Queryable } from '../../base/database/connect.ts';
import { type Html, html } from '../../base/http/html.ts';
import { earlyWindow } from '../../base/time-windows.ts';
import type { Order } from '../../orders/order.ts';
import { longestMerchantOrderId } from '../../orders/read-create-body.ts';
import type { Twin } from '../../payments/matching/queries/twins.ts';
import { fold } from '../frame/choosing.ts';
import { button, field, linkButton, postButton, whenConfirmed } from '../frame/controls.ts';
import { icon } from '../frame/icon.ts';
import { note, orderLink, rupees } from '../frame/parts.ts';
import type { Visit } from '../frame/route.ts';
import { rowList } from '../frame/rows.ts';
import {
  creditSource,
  creditSum,
  isSearchedFor,
  moneyPath,
  noteField,
  twinField,
  twinList,
  whyTogether,
} from './credit-words.ts';
import { noFilter, readOrderFilter } from './order-filter.ts';
import { orderRow, shortTime } from './payment-rows.ts';
import { type CreditRow, farthestNearMiss } from './queries/credits.ts';
import { type ListedOrder, selectListed, selectNamed } from './queries/orders.ts';

/**
 * The order, both sums, the warnings and the possible actions. The page of a waiting order has it too, without `twins`:
 * it names the payer instead of the order, and if there may be twins, it links to the page that shows them.
 */
export function decision(visit: Visit, order: ListedOrder, credit: CreditRow, twins?: readonly Twin[]): Html {
  const { texts } = visit;
  const words = texts.money;
  const why = whyTogether(texts, credit, order.order_id);
  const isFarOff = Math.abs((credit.amount_paise ?? 0) - order.payable_paise) > farthestNearMiss;
  return html`${twins && rowList([orderRow(visit, order, shortTime(visit, order.created_at))])}${sums(visit, order, credit)}
<ul class="reasons">${why !== null && html`<li>${icon('tick', true)}<span>${why}</span></li>`}${!twins && html`<li>${icon('tick', true)}<span>${creditSource(texts, credit)}</span></li>`}</ul>
${twinList(visit, twins ?? [])}${otherOrders(visit, credit, order.order_id)}${isFarOff && note(words.farOff, 'bad')}${credit.is_counted && order.status !== 'paid' && note(words.countedBefore, 'bad')}
${order.created_at > later(credit.alert_time ?? credit.arrived_at, earlyWindow) && note(words.beforeOrder)}
${waysOn(visit, order, credit, twins)}`;
}

function waysOn(visit: Visit, order: Order, credit: CreditRow, twins?: readonly Twin[]): Html | null {
  const { texts } = visit;
  const words = texts.money;
  const isAttached = credit.state === 'attached' && credit.for_order === order.order_id;
  if (order.status === 'paid') return note(words.refusals.order_paid);
  if (credit.state !== 'open' && !isAttached) return note(words.refusals.credit_taken);
  if (!visit.may('money.decide')) return note(words.mayNot);
  const path = `${moneyPath}/${credit.alert_id}/orders/${order.order_id}`;
  if (credit.told_twice && !twins) return html`<div class="actions">${linkButton(path, words.decide)}</div>`;
  const { yes, final, notifies } = texts.payments.decide;
  const accept = () =>
    html`<form method="post" action="${path}/accept" class="stack">${twinField(visit, twins ?? [])}<p class="small">${final}${order.webhook_url !== '' && html` ${notifies}`}</p><button class="button wide">${yes}</button>${noteField(visit, 'accept-note')}</form>`;
  // One tap says that the money is there, but not that it came twice.
  const isSearched = !twins?.length && isSearchedFor(credit, order.order_id);
  const accepting = isSearched
    ? searchFor(visit, credit.alert_id, order.order_id, creditSum(credit))
    : html`${credit.to_look_for && html`<p><strong>${words.lookFor.ask({ sum: creditSum(credit) })}</strong> ${words.lookFor.text}</p>`}${whenConfirmed(visit, accept)}`;
  if (!isAttached)
    return html`${accepting}<form method="post" action="${path}/attach" class="beside quiet"><button class="link one-line">${words.hold}</button><span>${words.holdText}</span></form>`;
  const others = html`<div class="stack">${!isSearched && html`<p class="quiet">${words.notThisText}</p>${postButton(`${moneyPath}/${credit.alert_id}/reopen`, words.notThis)}`}
<form method="post" action="${path}/decline" class="stack"><p class="quiet">${words.declineText}</p>${noteField(visit, 'decline-note', true)}<div class="actions">${button(words.decline, { danger: true, plain: true })}</div></form></div>`;
  return html`${accepting}${fold(words.otherAnswer, others, 'other-answer')}`;
}

export function searchFor(visit: Visit, alertId: string, orderId: string, sum: string): Html {
  const words = visit.texts.money.lookFor;
  const path = `${moneyPath}/${alertId}`;
  const yes = () => postButton(`${path}/orders/${orderId}/accept`, words.yes, { plain: false });
  return html`<p><strong>${words.ask({ sum })}</strong> ${words.text}</p>${whenConfirmed(visit, yes)}
<div class="other-way"><p class="quiet">${words.noText}</p>${postButton(`${path}/not-arrived`, words.no)}</div>`;
}

/** The asked and the received amount side by side, so that nobody accepts an amount unseen. */
function sums({ texts }: Visit, order: Order, credit: CreditRow): Html {
  const words = texts.money;
  const more = (credit.amount_paise ?? 0) - order.payable_paise;
  const apart = (more > 0 ? words.tooMuch : words.tooLittle)({ sum: rupees(Math.abs(more)) });
  const sum = (name: string, value: string) =>
    html`<div><dt class="quiet">${name}</dt><dd>${value}</dd></div>`;
  return html`<dl class="sums">${sum(words.asked, rupees(order.payable_paise))}${sum(credit.to_look_for || isSearchedFor(credit, order.order_id) ? words.lookFor.mailSays : words.received, creditSum(credit))}${sum(words.difference, more === 0 ? words.none : apart)}</dl>`;
}

type Other = { order_id: string; is_paid: boolean; said_paid?: boolean };

/**
 * Other orders that this money may belong to: customers typed its reference, or the order asked for exactly this
 * amount before. Nobody accepts it for one order without having seen them. `orderId` is the order on screen.
 */
export function otherOrders(visit: Visit, credit: CreditRow, orderId: string | null = null): Html | null {
  const words = visit.texts.money.others;
  const asked = credit.near_misses.filter(near => near.payable_paise === credit.amount_paise);
  const list = (title: string, text: string, others: readonly Other[]) =>
    others.some(one => one.order_id !== orderId) &&
    note(
      html`<p><strong>${title}</strong></p><p>${text}</p><ul class="plain-list">${others.map(one => otherOrder(visit, one, orderId))}</ul>`,
      'warn',
    );
  return html`${list(words.claimed, words.claimedText, credit.claimants)}${list(words.asked, words.askedText, asked)}`;
}

function otherOrder({ texts }: Visit, { order_id, is_paid, said_paid }: Other, orderId: string | null): Html {
  const { saidPaid, thisOne } = texts.money.others;
  const labels = [
    order_id === orderId && thisOne,
    is_paid && texts.shell.statuses.paid,
    !is_paid && said_paid && saidPaid,
  ].filter(Boolean);
  return html`<li>${orderLink(order_id)}${labels.length > 0 && ` · ${labels.join(' · ')}`}</li>`;
}

const mostFound = 10;

export async function searchUnpaid(sql: Queryable, { merchantId, query, now }: Visit) {
  if (query.text('q') === '') return null;
  const { search } = readOrderFilter(query).filter;
  if (search === null) return [];
  const named = await selectNamed(sql, merchantId, { ...noFilter, search }, { limit: mostFound, now });
  const ids = named.map(({ id }) => id);
  return (await selectListed(sql, merchantId, ids, now)).filter(order => order.status !== 'paid');
}

export function orderSearch({ texts, query }: Visit, action: string): Html {
  const { search, searchHint, find } = texts.money;
  const options = { hint: searchHint, value: query.text('q'), maxlength: longestMerchantOrderId };
  return html`<form method="get" action="${action}" class="stack">${field('q', search, { ...options, type: 'search' })}<div class="actions">${button(find, { plain: true })}</div></form>`;
}
