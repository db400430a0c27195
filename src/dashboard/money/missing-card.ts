import { bankNames } from '../../alerts/banks/bank-names.ts';
import { type Html, html } from '../../base/http/html.ts';
import type { World } from '../../base/world.ts';
import { vouchFor } from '../../payments/statements/queries/marks.ts';
import { postButton } from '../frame/controls.ts';
import { buttonColumn, type Column, moment, orderLink, rupees, table, titledCard } from '../frame/parts.ts';
import { makeChange } from '../frame/record-change.ts';
import { type Answer, fresh, notFound, post, redirect, type Visit } from '../frame/route.ts';
import { moneyPath } from './money-head.ts';
import type { MissingOrder } from './queries/missing.ts';
import { type Buyer, endOversold, type OversoldRow } from './queries/oversold.ts';

const one = `${moneyPath}/missing/:order_id/found` as const;

export const mostMissing = 50;

export const missingChanges = [post(one, fresh('money.decide'), found)];

/** The bank told of them, and its own list does not: a person looks into the account. */
export function missingCard(world: World, visit: Visit, orders: readonly MissingOrder[]): Html | null {
  const words = visit.texts.money.missing;
  const count = orders[0]?.count ?? 0;
  if (count === 0) return null;
  const bankName = bankNames(world);
  const columns: Column<MissingOrder>[] = [
    {
      title: visit.texts.labels.order,
      cell: row => orderLink(row.order_id),
    },
    { title: words.sum, cell: row => rupees(row.received_paise), number: true },
    { title: words.told, cell: row => moment(row.told_at) },
    { title: visit.texts.labels.bank, cell: row => bankName(row.bank) },
    buttonColumn(words.found, row => postButton(one.replace(':order_id', row.order_id), words.found)),
  ];
  const rows = visit.may('money.decide') ? columns : columns.slice(0, -1);
  return titledCard({ title: words.title(count), id: 'missing' })`
<p>${words.text}</p>${table({ caption: words.title(count), columns: rows, rows: orders })}
${count > orders.length && html`<p class="quiet">${visit.texts.labels.andMore(count - orders.length)}</p>`}`;
}

async function found(world: World, visit: Visit): Promise<Answer> {
  const { merchantId, params, user, now, texts } = visit;
  const orderId = params['order_id'] ?? '';
  const isNew = await makeChange(world, visit, async tx =>
    (await vouchFor(tx, merchantId, orderId, { by: user.email, now }))
      ? { action: 'statement.found', subject: orderId }
      : null,
  );
  return isNew ? redirect(moneyPath, texts.money.missing.foundFlash) : notFound();
}

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
    {
      title: visit.texts.orders.paid,
      cell: (one: Buyer) => html`${rupees(one.received_paise)}, ${moment(one.paid_at)}`,
    },
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
