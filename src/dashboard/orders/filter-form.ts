import { day, hour, later, minute } from '../../base/clock.ts';
import { type Html, html } from '../../base/http/html.ts';
import { orderStatuses } from '../../orders/order.ts';
import { longestMerchantOrderId } from '../../orders/read-create-body.ts';
import type { Texts } from '../../texts/languages.ts';
import { sayDay } from '../../texts/say-time.ts';
import { field, plainLink, selectField } from '../frame/controls.ts';
import { icon } from '../frame/layout.ts';
import { badge, note } from '../frame/parts.ts';
import type { AccountRow } from '../upi-accounts/queries.ts';
import type { OrderFilter } from './queries.ts';
import { writeOrderFilter } from './read-order-filter.ts';

type FilterForm = {
  filter: OrderFilter;
  accounts: readonly AccountRow[];
  /** Fields of the address that could not be understood. */
  ignored: readonly string[];
  now: Date;
};

/** One search box, quick choices for days, and the rest folded. The result is an address that can be bookmarked. */
export function filterForm(texts: Texts, { filter, accounts, ignored, now }: FilterForm): Html {
  const words = texts.orders;
  const isFiltered = writeOrderFilter(filter) !== '';
  return html`<search class="card filter${isFiltered && ' set'}">
${ignored.length > 0 && note(`${words.ignored} ${ignored.join(', ')}`)}
<form method="get" action="/dashboard/orders" class="stack">
<div class="field"><label for="q">${words.search}</label>
<p class="hint" id="q-hint">${words.searchHint}</p>
<div class="search-line"><input id="q" name="q" type="search" value="${filter.search ?? ''}" placeholder="${words.search}" maxlength="${longestMerchantOrderId * 2}" autocomplete="off" enterkeyhint="search" aria-describedby="q-hint"><button class="button">${icon('search')}<span>${texts.labels.search}</span></button></div></div>
<details><summary>${icon('settings')}<span>${words.more}</span></summary><div class="grid">
${selectField('status', words.status, {
  value: filter.status ?? '',
  choices: [
    { value: '', text: words.anyStatus },
    ...orderStatuses.map(value => ({ value, text: texts.shell.statuses[value] })),
  ],
})}
${field('from', words.from, { value: filter.from ?? '', type: 'date' })}
${field('to', words.to, { value: filter.to ?? '', type: 'date' })}
${
  accounts.length > 1 &&
  selectField('account', words.account, {
    value: filter.accountId ?? '',
    choices: [
      { value: '', text: words.anyAccount },
      ...accounts.map(account => ({
        value: account.account_id,
        text: `${account.payee_name} (${account.vpa})`,
      })),
    ],
  })
}</div></details></form>
<nav class="tabs" aria-label="${texts.labels.days}"><ul>${rangesOf(now).map(([name, range]) => {
    const isCurrent = filter.from === range.from && filter.to === range.to;
    return html`<li><a href="/dashboard/orders${writeOrderFilter({ ...filter, ...range })}"${isCurrent && html` aria-current="true"`}>${words.ranges[name]}</a></li>`;
  })}</ul>${chosenFolded(texts, { filter, accounts, now }).map(one => badge(one))}${isFiltered && plainLink('/dashboard/orders', words.clear)}</nav>
</search>`;
}

/** The active folded filters, so that a person sees that the list is only a part. */
function chosenFolded({ shell, tag }: Texts, { filter, accounts, now }: Omit<FilterForm, 'ignored'>) {
  const days = [filter.from, filter.to].map(one => (one === null ? '…' : sayDay(tag, one)));
  return [
    filter.status && shell.statuses[filter.status],
    isOneTouch(filter, now) ? null : days.join(' – '),
    accounts.find(account => account.account_id === filter.accountId)?.vpa,
  ].filter(one => typeof one === 'string');
}

type Range = Pick<OrderFilter, 'from' | 'to'>;

function isOneTouch({ from, to }: Range, now: Date): boolean {
  return rangesOf(now).some(([, range]) => range.from === from && range.to === to);
}

function rangesOf(now: Date): ['any' | 'today' | 'yesterday' | 'week' | 'month', Range][] {
  const dayAgo = (days: number) =>
    later(now, 5 * hour + 30 * minute - days * day)
      .toISOString()
      .slice(0, 10);
  const today = dayAgo(0);
  return [
    ['any', { from: null, to: null }],
    ['today', { from: today, to: today }],
    ['yesterday', { from: dayAgo(1), to: dayAgo(1) }],
    ['week', { from: dayAgo(6), to: today }],
    ['month', { from: `${today.slice(0, 7)}-01`, to: today }],
  ];
}
