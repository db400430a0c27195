import { type Html, html } from '../../../http/html.ts';
import type { Order } from '../../../orders/order.ts';
import { card } from '../../components/card.ts';
import { facts } from '../../components/facts.ts';
import { note } from '../../components/flash.ts';
import { postButton, postForm } from '../../components/form.ts';
import { moment } from '../../components/moment.ts';
import { pageHead } from '../../components/page-head.ts';
import type { CreditRow } from '../../queries/money.ts';
import type { Visit } from '../../route.ts';
import { statusBadge } from '../status-badge.ts';
import { whenFresh } from '../when-fresh.ts';
import { creditBadge, creditStory, creditSum } from './credit-words.ts';
import { moneyPath } from './money-head.ts';
import { noteField } from './note-field.ts';
import { isFarOff, sums } from './sums.ts';

/** One payment beside one order, and what a person can make of the two. */
export function decidePage(visit: Visit, order: Order, credit: CreditRow): Html {
  const { texts } = visit;
  const words = texts.money;
  const back = { href: `${moneyPath}/${credit.alert_id}`, text: words.payment(creditSum(credit)) };
  return html`${pageHead(words.decideTitle(order.order_id), { back })}
${card(html`${comparison(visit, order, credit)}
${facts([
  [
    words.order,
    html`<a class="id" href="/dashboard/orders/${order.order_id}">${order.order_id}</a> ${statusBadge(texts, order.status)}`,
  ],
  [texts.orders.ownId, html`<bdi>${order.merchant_order_id}</bdi>`],
  [words.created, moment(order.created_at)],
  [words.payer, credit.payer === null ? words.unknownPayer : html`<bdi>${credit.payer}</bdi>`],
  credit.bank_reference === null ? null : [words.reference, credit.bank_reference],
  [words.cameAt, moment(credit.alert_time ?? credit.arrived_at)],
  [words.state, html`${creditBadge(texts, credit)} ${creditStory(texts, credit).join(' ')}`],
])}`)}
${decision(visit, order, credit)}`;
}

/** The two sums, and what to be careful about. */
export function comparison(visit: Visit, order: Order, credit: CreditRow): Html {
  const words = visit.texts.money;
  return html`${sums(visit, order, credit)}
${isFarOff(order, credit) && note(words.farOff, 'bad')}
${order.created_at > (credit.alert_time ?? credit.arrived_at) && note(words.beforeOrder)}`;
}

/** The ways on from here; also on the page of an order that waits. */
export function decision(visit: Visit, order: Order, credit: CreditRow): Html | null {
  const words = visit.texts.money;
  const isAttached = credit.state === 'attached' && credit.for_order === order.order_id;
  if (order.status === 'paid' || (credit.state !== 'open' && !isAttached)) return null;
  if (!visit.may('money.decide')) return note(words.mayNot);
  const path = `${moneyPath}/${credit.alert_id}/orders/${order.order_id}`;
  const accept = () =>
    postForm({
      action: `${path}/accept`,
      fields: noteField(visit, 'accept-note'),
      submit: words.accept,
    });
  const accepting = card(html`<p>${words.acceptText}</p>${whenFresh(visit, accept)}`);
  if (!isAttached)
    return html`${accepting}${card(html`<p>${words.holdText}</p>${postButton(`${path}/attach`, words.hold)}`)}`;
  const decline = postForm({
    action: `${path}/decline`,
    fields: noteField(visit, 'decline-note'),
    submit: words.decline,
    danger: true,
  });
  return html`${accepting}${card(html`<p>${words.declineText}</p>${decline}`)}
${card(html`<p>${words.notThisText}</p>${postButton(`${moneyPath}/${credit.alert_id}/reopen`, words.notThis)}`)}`;
}
