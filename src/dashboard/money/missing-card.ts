import { bankNames } from '../../alerts/banks/bank-names.ts';
import { type Html, html } from '../../base/http/html.ts';
import type { World } from '../../base/world.ts';
import { vouchFor } from '../../payments/statements/queries/marks.ts';
import { postButton } from '../frame/controls.ts';
import { buttonColumn, type Column, moment, rupees, table, titledCard } from '../frame/parts.ts';
import { makeChange } from '../frame/record-change.ts';
import { type Answer, fresh, notFound, post, redirect, type Visit } from '../frame/route.ts';
import { moneyPath } from './money-head.ts';
import type { MissingOrder } from './queries/missing.ts';

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
      cell: row => html`<a class="id" href="/dashboard/orders/${row.order_id}">${row.order_id}</a>`,
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
