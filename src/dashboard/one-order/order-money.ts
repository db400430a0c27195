import { type Html, html } from '../../base/http/html.ts';
import type { Order } from '../../orders/order.ts';
import { plainLink } from '../frame/controls.ts';
import { moment, titledCard } from '../frame/parts.ts';
import type { Visit } from '../frame/route.ts';
import { moneyItem } from '../money/credit-item.ts';
import { decision } from '../money/decide-page.ts';
import { moneyPath } from '../money/money-head.ts';
import type { ClaimedReference, CreditRow } from '../money/queries/money.ts';

/** An order in review: both sums and the decision, before everything else. */
export function waitingPart(visit: Visit, order: Order, money: readonly CreditRow[]): Html | null {
  const credit = money.find(one => one.state === 'attached' && one.for_order === order.order_id);
  if (order.status !== 'manual_review' || !credit) return null;
  return decision(visit, order, credit, visit.texts.money.onOrder.waiting);
}

/** Near misses, late and second payments: whatever came for it without being its exact payment. */
export function moneyCard(visit: Visit, order: Order, money: readonly CreditRow[]): Html | null {
  const others = money.filter(credit => credit.state !== 'attached' || credit.for_order !== order.order_id);
  if (others.length === 0) return null;
  const { came, cameText } = visit.texts.money.onOrder;
  return titledCard({ title: came, id: 'money' })`
<p class="quiet">${cameText}</p><ul class="money">${others.map(credit => moneyItem(visit, credit, null, wayOn(visit, order, credit)))}</ul>`;
}

function wayOn(visit: Visit, order: Order, { alert_id, state }: CreditRow): Html | null {
  if (state !== 'open' || order.status === 'paid' || !visit.may('money.decide')) return null;
  const href = `${moneyPath}/${alert_id}/orders/${order.order_id}`;
  return plainLink(href, visit.texts.money.compare);
}

/** The customer's word, beside whether such money has come. */
export function claimsCard({ texts }: Visit, claims: readonly ClaimedReference[]): Html | null {
  if (claims.length === 0) return null;
  const words = texts.money.onOrder;
  return titledCard({ title: words.claims, id: 'claims' })`
<p class="quiet">${words.claimsText}</p><ul class="plain-list">${claims.map(
    claim =>
      html`<li><code>${claim.bank_reference}</code> <span class="quiet">${moment(claim.claimed_at)}</span><br>${claim.alert_id === null ? words.claimNotHere : words.claimHere}</li>`,
  )}</ul>`;
}
