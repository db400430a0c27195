import { type Html, html } from '../../base/http/html.ts';
import { orderStatuses } from '../../orders/schemas.ts';
import { sayDay } from '../../texts/say-time.ts';
import { moreMenu, type Tab, tabs } from '../frame/choosing.ts';
import { button, hidden, plainLink, selectField } from '../frame/controls.ts';
import { type IconName, icon } from '../frame/icon.ts';
import { addDays, addMonths, indianDay } from '../frame/indian-days.ts';
import type { Visit } from '../frame/route.ts';
import type { AccountRow } from '../upi-accounts/queries.ts';
import { noFilter, writeOrderFilter } from './order-filter.ts';
import type { View } from './queries/entries.ts';
import type { OrderFilter } from './queries/orders.ts';

export const paymentsPath = '/dashboard/payments';

export function listAddress(
  view: View,
  filter: OrderFilter = noFilter,
  more: Record<string, string> = {},
): string {
  const query = writeOrderFilter(filter, { ...(view !== 'all' && { view }), ...more });
  return `${paymentsPath}${query}`;
}

const tabViews = ['all', 'paid', 'waiting', 'decide', 'returned'] as const;

/** A tab keeps the search, but not a status. */
export function viewTabs({ texts }: Visit, view: View, filter: OrderFilter, toDo: number): Html {
  const words = texts.payments;
  const shown = tabViews.some(one => one === view) ? tabViews : ([view, ...tabViews] as const);
  const tabOf = (one: View): Tab => ({
    href: listAddress(one, { ...filter, status: null }),
    text: words.views[one],
    current: one === view,
    ...(one === 'decide' && { count: toDo }),
  });
  return tabs(words.which, shown.map(tabOf));
}

type Tools = { view: View; filter: OrderFilter; accounts: readonly AccountRow[] };

export function listTools(visit: Visit, tools: Tools): Html {
  const { view, filter } = tools;
  const words = visit.texts.payments;
  const { status, from, to, accountId: account } = filter;
  const kept = hidden({ ...(view !== 'all' && { view }), from, to, account, status });
  return html`<div class="list-tools"><form class="search grow" role="search" aria-label="${words.search}" action="${paymentsPath}">${kept}${icon('search', true)}<input type="search" name="q" value="${filter.search ?? ''}" placeholder="${words.searchHint}" aria-label="${words.search}" autocomplete="off" enterkeyhint="search" maxlength="240"></form>
${moreMenu(words.filter, filterItems(visit, tools), { icon: 'filter' })}${visit.may('orders.export') && moreMenu(words.export, exportItems(visit, tools), { icon: 'download' })}</div>
${chosen(visit, tools)}`;
}

function filterItems({ texts, now }: Visit, { view, filter, accounts }: Tools): Html[] {
  const { orders, payments: words } = texts;
  const value = ({ from, to }: Range) => (from === null && to === null ? '' : `${from ?? ''}..${to ?? ''}`);
  const known = periods(now);
  const isKnown = known.some(([, range]) => value(range) === value(filter));
  const days = isKnown ? known : [...known, ['', filter] as const];
  const form = html`<form class="stack" action="${paymentsPath}">
${hidden({ ...(view !== 'all' && { view }), q: filter.search })}
${selectField('days', words.period, {
  value: value(filter),
  choices: days.map(([name, range]) => ({ value: value(range), text: sayPeriod(texts, name, range) })),
})}
${
  accounts.length > 1 &&
  selectField('account', orders.account, {
    value: filter.accountId ?? '',
    choices: [
      { value: '', text: orders.anyAccount },
      ...accounts.map(account => ({ value: account.account_id, text: account.vpa })),
    ],
  })
}
${
  view === 'orders' &&
  selectField('status', orders.status, {
    value: filter.status ?? '',
    choices: [
      { value: '', text: orders.anyStatus },
      ...orderStatuses.map(status => ({ value: status, text: texts.shell.statuses[status] })),
    ],
  })
}
${button(texts.labels.show)}</form>`;
  return [
    form,
    item(listAddress('kept'), 'tick', words.views.kept),
    item(`${paymentsPath}/not-counted`, 'mail', words.notCounted),
    item(listAddress('orders'), 'doc', words.views.orders),
  ];
}

function exportItems({ texts }: Visit, { view, filter }: Tools): Html[] {
  const words = texts.payments;
  const status = ({ paid: 'paid', waiting: 'pending' } as const)[view as string] ?? filter.status;
  return [
    item(`/dashboard/orders/export.csv${writeOrderFilter({ ...filter, status })}`, 'doc', words.csv),
    html`<button type="button" data-print hidden>${icon('print', true)}${words.print}</button>`,
    item('/dashboard/reports/month', 'reports', words.month),
    item('/dashboard/reports/check', 'bank', words.check),
  ];
}

function item(href: string, name: IconName, text: string): Html {
  return html`<a href="${href}">${icon(name, true)}${text}</a>`;
}

function chosen({ texts, now }: Visit, { view, filter, accounts }: Tools): Html | null {
  const name =
    periods(now).find(([, range]) => range.from === filter.from && range.to === filter.to)?.[0] ?? '';
  const parts = [
    (filter.from ?? filter.to) !== null && sayPeriod(texts, name, filter),
    accounts.find(account => account.account_id === filter.accountId)?.vpa,
    view === 'orders' && filter.status && texts.shell.statuses[filter.status],
    filter.search,
  ].filter(Boolean);
  if (parts.length === 0) return null;
  return html`<p class="chosen small"><span><bdi>${parts.join(' · ')}</bdi></span>${plainLink(listAddress(view), texts.payments.clear)}</p>`;
}

type Range = Pick<OrderFilter, 'from' | 'to'>;
type Named = 'any' | 'today' | 'yesterday' | 'week' | '';

/** Days and months to choose from. A select needs no date field, which browsers show in their own language. */
function periods(now: Date): [Named, Range][] {
  const today = indianDay(now);
  const yesterday = addDays(today, -1);
  const month = (ago: number): Range => {
    const from = addMonths(today, -ago);
    return { from, to: lastOfMonth(from) };
  };
  return [
    ['any', { from: null, to: null }],
    ['today', { from: today, to: today }],
    ['yesterday', { from: yesterday, to: yesterday }],
    ['week', { from: addDays(today, -6), to: today }],
    ...Array.from({ length: monthsShown }, (_, ago): [Named, Range] => ['', month(ago)]),
  ];
}

const monthsShown = 13;

function sayPeriod({ orders, tag }: Visit['texts'], name: Named, { from, to }: Range): string {
  if (name !== '') return orders.ranges[name];
  if (from?.endsWith('-01') && to === lastOfMonth(from)) return sayDay(tag, from.slice(0, 7));
  return [from, to].map(one => (one === null ? '…' : sayDay(tag, one))).join(' – ');
}

function lastOfMonth(first: string): string {
  return addDays(addMonths(first, 1), -1);
}
