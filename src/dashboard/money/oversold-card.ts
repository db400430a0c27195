import { type Html, html } from '../../base/http/html.ts';
import type { World } from '../../base/world.ts';
import { postButton } from '../frame/controls.ts';
import { moment, rupees, table, titledCard } from '../frame/parts.ts';
import { makeChange } from '../frame/record-change.ts';
import { type Answer, notFound, post, redirect, type Visit } from '../frame/route.ts';
import { moneyPath } from './money-head.ts';
import { type Buyer, endOversold, type OversoldRow } from './queries/oversold.ts';

export const oversoldChanges = [post(`${moneyPath}/oversold/:order_id/done`, 'money.decide', end)];

/** One piece, two buyers: both have paid, and a person decides whom the shop can serve. */
export function oversoldCard(visit: Visit, { order_id, title, stock, buyers }: OversoldRow): Html {
  const words = visit.texts.money.oversold;
  const columns = [
    {
      title: visit.texts.labels.order,
      cell: (one: Buyer) => html`<a href="/dashboard/orders/${one.order_id}">${one.order_id}</a>`,
    },
    {
      title: words.buyer,
      cell: (one: Buyer) => html`<bdi>${one.customer ?? one.payer ?? visit.texts.money.unknownPayer}</bdi>`,
    },
    { title: words.paid, cell: (one: Buyer) => html`${rupees(one.received_paise)}, ${moment(one.paid_at)}` },
  ];
  return titledCard({ title: words.title(title), id: order_id })`
<p>${words.text(stock)}</p>${table({ caption: words.title(title), columns, rows: buyers })}
${visit.may('money.decide') && html`<div class="actions">${postButton(`${moneyPath}/oversold/${order_id}/done`, words.done)}</div>`}`;
}

async function end(world: World, visit: Visit): Promise<Answer> {
  const { merchantId, params, now, texts } = visit;
  const orderId = params['order_id'] ?? '';
  const done = await makeChange(world, visit, async tx => {
    const title = await endOversold(tx, merchantId, orderId, now);
    return title === null ? null : { action: 'oversold.end', subject: orderId, details: title };
  });
  return done ? redirect(moneyPath, texts.money.oversold.doneFlash) : notFound();
}
