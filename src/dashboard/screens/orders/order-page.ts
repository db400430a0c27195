import { type Html, html } from '../../../http/html.ts';
import type { Order } from '../../../orders/order.ts';
import { paymentUrl } from '../../../orders/present-order.ts';
import { sayReason } from '../../../texts/say.ts';
import type { DeliveryRow } from '../../../webhooks/queries/read.ts';
import { card } from '../../components/card.ts';
import { facts } from '../../components/facts.ts';
import { moment } from '../../components/moment.ts';
import { pageHead } from '../../components/page-head.ts';
import type { ClaimedReference, CreditRow } from '../../queries/money.ts';
import type { OrderAlert } from '../../queries/orders.ts';
import type { Visit } from '../../route.ts';
import { rupees } from '../rupees.ts';
import { statusBadge } from '../status-badge.ts';
import { verdictBadge } from '../verdict-badge.ts';
import { deliveryTable } from '../webhooks/delivery-table.ts';
import { evidence } from './evidence.ts';
import { claimsCard, moneyCard, moneySteps, waitingPart } from './order-money.ts';

export type OrderView = {
  order: Order;
  alerts: readonly OrderAlert[];
  deliveries: readonly DeliveryRow[];
  /** What came for it without being its exact payment. */
  money: readonly CreditRow[];
  claims: readonly ClaimedReference[];
  /** What it is for, where a person or a link made it. */
  purpose: string | null;
  baseUrl: string;
  bankName: (id: string) => string;
};

export function orderPage(visit: Visit, view: OrderView): Html {
  const { order, alerts, deliveries, money, baseUrl, bankName } = view;
  const { texts } = visit;
  const words = texts.orders;
  const paying = alerts.find(alert => alert.verdict === 'paid');
  const others = alerts.filter(alert => alert !== paying);
  const url = paymentUrl(baseUrl, order.pay_token);
  return html`${pageHead(order.order_id, { back: { href: '/dashboard/orders', text: words.back } })}
${waitingPart(visit, order, money)}
${card(
  facts([
    [words.status, statusBadge(texts, order.status)],
    [words.payable, html`<strong>${rupees(order.payable_paise)}</strong>`],
    order.received_paise === null ? null : [texts.money.onOrder.received, rupees(order.received_paise)],
    [words.asked, rupees(order.amount_paise)],
    view.purpose ? [texts.till.purpose, html`<bdi>${view.purpose}</bdi>`] : null,
    [words.ownId, html`<bdi>${order.merchant_order_id}</bdi>`],
    [words.account, html`<bdi>${order.payee_name}</bdi> (${order.vpa})`],
    order.bank_reference === null ? null : [words.reference, order.bank_reference],
    order.customer === null
      ? null
      : [
          words.customer,
          html`<bdi>${[order.customer.name, order.customer.email].filter(Boolean).join(', ')}</bdi>`,
        ],
    [words.webhookUrl, html`<bdi>${order.webhook_url || '–'}</bdi>`],
    [words.paymentPage, html`<a href="${url}" rel="noreferrer">${url}</a>`],
  ]),
)}
${moneyCard(visit, order, money)}
${claimsCard(visit, view.claims)}
${card(timeline(visit, view, paying), { title: words.timeline })}
${paying && card(html`<p class="quiet">${words.evidenceText}</p>${evidence(texts, paying, bankName)}`, { title: words.evidence })}
${
  others.length > 0 &&
  card(
    html`<p class="quiet">${words.otherAlertsText}</p>${others.map(
      alert =>
        html`<details><summary>${verdictBadge(texts, alert.verdict)} ${moment(alert.arrived_at)}</summary>${alert.reason && html`<p>${sayReason(texts.tag, alert.reason)}</p>`}${evidence(texts, alert, bankName)}</details>`,
    )}`,
    { title: words.otherAlerts },
  )
}
${card(
  deliveries.length === 0
    ? html`<p class="quiet">${words.webhooksEmpty}</p>`
    : deliveryTable(visit, deliveries, visit.url),
  { title: words.webhooks, id: 'webhooks' },
)}`;
}

function timeline(
  { texts, now }: Visit,
  { order, deliveries, money }: OrderView,
  paying: OrderAlert | undefined,
): Html {
  const { happened } = texts.orders;
  const steps: { at: Date; text: string }[] = [{ at: order.created_at, text: happened.created }];
  const over = order.expires_at <= now;
  const wasLate = order.paid_at !== null && order.paid_at > order.expires_at;
  if (order.paid_at === null || wasLate)
    steps.push({ at: order.expires_at, text: over ? happened.expired : happened.expires });
  if (paying) steps.push({ at: paying.arrived_at, text: happened.alert });
  steps.push(...moneySteps(texts, order, money));
  if (order.paid_at) steps.push({ at: order.paid_at, text: happened.paid });
  for (const one of deliveries) {
    const open = one.state === 'waiting' || one.state === 'sending';
    const end =
      one.state === 'delivered'
        ? happened.delivered
        : happened.failed(one.failure ? sayReason(texts.tag, one.failure) : '');
    steps.push({
      at: one.started_at ?? one.due_at,
      text: open ? happened.waiting(one.attempt) : `${happened.attempt(one.attempt)}: ${end}`,
    });
  }
  steps.sort((a, b) => a.at.getTime() - b.at.getTime());
  return html`<ol class="timeline">${steps.map(step => html`<li>${step.text} <span class="quiet">${moment(step.at, 'exact')}</span></li>`)}</ol>`;
}
