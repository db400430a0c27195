import { html } from '../../base/http/html.ts';
import type { World } from '../../base/world.ts';
import { listLinks } from '../../orders/links/queries.ts';
import type { Texts } from '../../texts/languages.ts';
import { searchField } from '../frame/choosing.ts';
import { screen } from '../frame/parts.ts';
import { type Answer, get, type Visit } from '../frame/route.ts';
import { type ListRow, rowList } from '../frame/rows.ts';
import { shopPages } from '../frame/shop-page.ts';
import { findPayments } from '../payments/routes.ts';

const path = '/dashboard/search';
const longestSearch = 200;
const mostFound = 8;

export const searchRoutes = [get(path, 'business.read', showFound)];

/** Pages besides the shop's own, by their names. A person finds those that they may open. */
const pages = {
  home: '/dashboard',
  counter: '/dashboard/counter',
  links: '/dashboard/links',
  payments: '/dashboard/payments',
  orders: '/dashboard/payments?view=orders',
  reports: '/dashboard/reports',
  statement: '/dashboard/reports/check',
  audit: '/dashboard/audit',
  notices: '/dashboard/to-do',
} as const;

function pagesOf({ shell, shop }: Texts): ListRow[] {
  const others = Object.keys(pages) as (keyof typeof pages)[];
  return [
    ...others.map(name => ({ href: pages[name], who: shell.navigation[name] })),
    ...shopPages.map(({ name, path }) => ({ href: path, who: shop.pages[name] })),
  ];
}

/** Payments, links and pages with these words. Without words it lists the pages. */
async function showFound(world: World, visit: Visit): Promise<Answer> {
  const { texts, query, merchantId, now, mayOpen } = visit;
  const words = texts.shell.found;
  const text = query.text('q').slice(0, longestSearch);
  const isNamed = (name: string) => name.toLowerCase().includes(text.toLowerCase());
  const [payments, links] =
    text === ''
      ? [[], []]
      : await Promise.all([
          findPayments(world, visit, mostFound),
          mayOpen('/dashboard/links') ? listLinks(world.sql, merchantId, now) : [],
        ]);
  const linkRows = links
    .filter(({ title }) => isNamed(title))
    .map(
      ({ link_id, title }): ListRow => ({
        href: `/dashboard/links/${link_id}`,
        face: { icon: 'link', tone: 'still' },
        who: html`<bdi>${title}</bdi>`,
      }),
    );
  const pageRows = pagesOf(texts).filter(
    ({ href = '', who }) => isNamed(String(who)) && mayOpen(href.split('?')[0]!),
  );
  const groups = [
    [words.payments, payments],
    [words.links, linkRows],
    [words.pages, pageRows],
  ] as const;
  const shown = groups.filter(([, rows]) => rows.length > 0);
  return screen(texts.shell.search, { quietOnPhone: true })`
<div class="phone-only">${searchField(path, texts.shell.search, text, texts.shell.searchHint)}</div>
${shown.length === 0 ? html`<p role="status">${words.nothing}</p>` : shown.map(([title, rows]) => html`<section><div class="heading"><h2>${title}</h2></div>${rowList(rows)}</section>`)}`;
}
