import { type Html, html } from '../../base/http/html.ts';
import { shownName } from '../../base/read-name.ts';
import type { Texts } from '../../texts/languages.ts';
import { plainLink } from '../frame/controls.ts';
import {
  type Column,
  card,
  emptyState,
  moment,
  orderLink,
  pagination,
  rupees,
  statusBadge,
  table,
} from '../frame/parts.ts';
import { type ListedOrder, mostLooked, type OrderCount, type OrderFilter } from './queries.ts';
import { writeOrderFilter } from './read-order-filter.ts';

export type ListPart = {
  orders: readonly ListedOrder[];
  isFiltered: boolean;
  older: string | null;
  newer: string | null;
  /** The search stopped before the oldest order; the link `older` continues it. */
  isUnfinished: boolean;
};

export function orderList(texts: Texts, { orders, isFiltered, older, newer, isUnfinished }: ListPart): Html {
  const words = texts.orders;
  const goOn =
    isUnfinished &&
    older !== null &&
    html`<p class="quiet">${words.looked({ count: mostLooked })}</p><div class="actions">${plainLink(older, words.lookOn)}</div>`;
  if (orders.length === 0 && isUnfinished) return html`${goOn}`;
  if (orders.length === 0 && newer === null) {
    return isFiltered
      ? emptyState(words.noneTitle, words.noneText, plainLink('/dashboard/orders', words.clear))
      : emptyState(words.emptyTitle, words.emptyText, plainLink('/dashboard/integrations', words.emptyNext));
  }
  const list = table(texts.shell.navigation.orders, orders, columnsOf(texts), { brief: true });
  return html`${list}${goOn}${pagination(texts, { newer, older: isUnfinished ? null : older })}`;
}

function columnsOf(texts: Texts): Column<ListedOrder>[] {
  const words = texts.orders;
  return [
    {
      title: texts.labels.order,
      place: 'order',
      cell: order =>
        html`${orderLink(order.order_id)}<br><bdi class="quiet cut">${order.merchant_order_id}</bdi>`,
    },
    {
      title: texts.labels.amount,
      place: 'sum',
      number: true,
      cell: order => html`${rupees(order.received_paise ?? order.payable_paise)}`,
    },
    { title: words.status, place: 'status', cell: order => statusBadge(texts, order.status) },
    {
      title: texts.labels.customer,
      place: 'customer',
      cell: ({ customer }) =>
        customer &&
        html`<bdi class="cut">${shownName(customer.name) || customer.email}</bdi>${shownName(customer.name) !== '' && customer.email !== undefined && html`<br><bdi class="quiet cut">${customer.email}</bdi>`}`,
    },
    {
      title: words.payerShort,
      place: 'payer',
      cell: ({ payer }) => payer && html`<bdi class="cut">${payer}</bdi>`,
    },
    {
      title: words.time,
      place: 'time',
      cell: order =>
        html`${moment(order.created_at)}${order.paid_at && html`<br><span class="quiet">${words.paid} ${moment(order.paid_at)}</span>`}`,
    },
  ];
}

export function csvCard(texts: Texts, filter: OrderFilter, counted: OrderCount | null): Html {
  const words = texts.orders;
  const hint = !counted
    ? words.csvSearch
    : counted.isExact
      ? words.csvHint(counted)
      : words.csvHintAbout(counted);
  const href = `/dashboard/orders/export.csv${writeOrderFilter(filter)}`;
  return card(html`<p class="quiet">${hint}</p><div class="actions">${plainLink(href, words.csv)}</div>`);
}
