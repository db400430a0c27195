import { type Html, html } from '../../base/http/html.ts';
import { note, orderLink } from '../frame/parts.ts';
import type { Visit } from '../frame/route.ts';
import type { CreditRow } from './queries/money.ts';

type Other = { order_id: string; is_paid: boolean; said_paid?: boolean };

/**
 * Whom else this money may belong to: the orders whose customers typed its reference, and those that asked for exactly
 * this sum before. Nobody accepts it for one of them without having seen the others. `orderId`: the one that is looked at.
 */
export function otherOrders(visit: Visit, credit: CreditRow, orderId: string | null = null): Html | null {
  const words = visit.texts.money.others;
  const asked = credit.near_misses.filter(near => near.payable_paise === credit.amount_paise);
  const isUnclear = (others: readonly Other[]) => others.some(one => one.order_id !== orderId);
  const list = (title: string, text: string, others: readonly Other[]) =>
    isUnclear(others) &&
    note(
      html`<p><strong>${title}</strong></p><p>${text}</p><ul class="plain-list">${others.map(one => otherOrder(visit, one, orderId))}</ul>`,
      'warn',
    );
  return html`${list(words.claimed, words.claimedText, credit.claimants)}${list(words.asked, words.askedText, asked)}`;
}

function otherOrder({ texts }: Visit, { order_id, is_paid, said_paid }: Other, orderId: string | null): Html {
  const { saidPaid, thisOne } = texts.money.others;
  const marks = [
    order_id === orderId && thisOne,
    is_paid && texts.shell.statuses.paid,
    !is_paid && said_paid && saidPaid,
  ].filter(Boolean);
  return html`<li>${orderLink(order_id)}${marks.length > 0 && ` · ${marks.join(' · ')}`}</li>`;
}
