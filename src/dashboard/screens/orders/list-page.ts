import { type Html, html } from '../../../http/html.ts';
import { type Order, orderStatuses } from '../../../orders/order.ts';
import { longestMerchantOrderId } from '../../../orders/read-merchant-order-id.ts';
import type { Texts } from '../../../texts/languages.ts';
import { linkButton } from '../../components/button.ts';
import { card } from '../../components/card.ts';
import { emptyState } from '../../components/empty-state.ts';
import { field, selectField } from '../../components/field.ts';
import { note } from '../../components/flash.ts';
import { moment } from '../../components/moment.ts';
import { pagination } from '../../components/pagination.ts';
import { table } from '../../components/table.ts';
import type { AccountRow } from '../../queries/accounts.ts';
import type { OrderCount, OrderFilter } from '../../queries/orders.ts';
import { writeOrderFilter } from '../../read-order-filter.ts';
import { rupees } from '../rupees.ts';
import { statusBadge } from '../status-badge.ts';

/** The filter as a form that leads to an address, so that a filtered list can be kept as a bookmark. */
export function filterForm(
  texts: Texts,
  filter: OrderFilter,
  accounts: readonly AccountRow[],
  ignored: readonly string[],
): Html {
  const words = texts.orders;
  const isFiltered = writeOrderFilter(filter) !== '';
  const amount = filter.amountPaise === null ? '' : (filter.amountPaise / 100).toFixed(2);
  const fields = html`<div class="grid">
${selectField({
  name: 'status',
  label: words.status,
  value: filter.status ?? '',
  choices: [
    { value: '', text: words.anyStatus },
    ...orderStatuses.map(value => ({ value, text: texts.shell.statuses[value] })),
  ],
})}
${field({ name: 'id', label: words.id, value: filter.id ?? '', type: 'search', hint: words.idHint, maxlength: longestMerchantOrderId })}
${field({ name: 'amount', label: words.amount, value: amount, inputmode: 'decimal', hint: words.amountHint })}
${field({ name: 'from', label: words.from, value: filter.from ?? '', type: 'date', hint: words.dayHint })}
${field({ name: 'to', label: words.to, value: filter.to ?? '', type: 'date', hint: words.dayHint })}
${
  accounts.length > 1 &&
  selectField({
    name: 'account',
    label: words.account,
    value: filter.accountId ?? '',
    choices: [
      { value: '', text: words.anyAccount },
      ...accounts.map(account => ({
        value: account.account_id,
        text: `${account.payee_name} (${account.vpa})`,
      })),
    ],
  })
}</div>`;
  return html`<details class="card filter"${(isFiltered || ignored.length > 0) && html` open`}><summary>${words.filter}</summary>
${ignored.length > 0 && note(`${words.ignored} ${ignored.join(', ')}`)}
<form method="get" action="/dashboard/orders" class="stack">${fields}
<div class="actions"><button class="button">${words.show}</button>${isFiltered && linkButton('/dashboard/orders', words.clear, { plain: true })}</div>
</form></details>`;
}

export type ListPart = {
  orders: readonly Order[];
  isFiltered: boolean;
  /** Address of the next page, or null on the last. */
  older: string | null;
  newer: string | null;
};

/** The part of the page that the script asks for again and again. */
export function orderList(texts: Texts, { orders, isFiltered, older, newer }: ListPart): Html {
  const words = texts.orders;
  if (orders.length === 0 && newer === null) {
    return isFiltered
      ? emptyState(
          words.noneTitle,
          words.noneText,
          linkButton('/dashboard/orders', words.clear, { plain: true }),
        )
      : emptyState(words.emptyTitle, words.emptyText, linkButton('/dashboard/integrations', words.emptyNext));
  }
  const columns = [
    {
      title: words.order,
      cell: (order: Order) =>
        html`<a class="id" href="/dashboard/orders/${order.order_id}">${order.order_id}</a>`,
    },
    { title: words.status, cell: (order: Order) => statusBadge(texts, order.status) },
    { title: words.payable, cell: (order: Order) => rupees(order.payable_paise), number: true },
    { title: words.ownId, cell: (order: Order) => html`<bdi>${order.merchant_order_id}</bdi>` },
    { title: words.created, cell: (order: Order) => moment(order.created_at) },
    { title: words.paid, cell: (order: Order) => order.paid_at && moment(order.paid_at) },
  ];
  return html`${table({ caption: words.title, columns, rows: orders, brief: true })}${pagination(texts, { newer, older })}`;
}

/** Small lists are one download; a large one shows how far it is, and works without script all the same. */
export function csvCard(texts: Texts, filter: OrderFilter, { count, isExact }: OrderCount): Html {
  const words = texts.orders;
  return card(
    html`<p class="quiet">${words.csvHint(count, isExact)}</p>
<div class="actions"><a class="button plain" href="/dashboard/orders/export.csv${writeOrderFilter(filter)}" data-export="${count}" data-failed="${words.csvFailed}">${words.csv}</a>
<span class="export-progress" hidden><label for="export">${words.csvProgress}</label> <progress id="export" max="${count}" value="0"></progress></span></div>`,
  );
}
