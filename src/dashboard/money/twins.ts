import { type Html, html } from '../../base/http/html.ts';
import type { Twin } from '../../payments/matching/queries/twins.ts';
import { moment, note, rupees } from '../frame/parts.ts';
import type { Visit } from '../frame/route.ts';
import { moneyPath } from './money-head.ts';

/** Other credits that may be this very payment: the bank's app has one or two of them. */
export function twinList({ texts }: Visit, twins: readonly Twin[]): Html | null {
  const words = texts.money.toldTwice;
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

/** The answer to it, where one of them settled something. */
export function twinField({ texts }: Visit, twins: readonly Twin[]): Html | null {
  const ids = twins.filter(one => one.asks).map(one => one.alert_id);
  if (ids.length === 0) return null;
  return html`<div class="choice"><input type="checkbox" id="seen" name="seen" value="${ids.join(' ')}"><div><label for="seen">${texts.money.toldTwice.two}</label></div></div>`;
}
