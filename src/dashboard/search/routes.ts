import { html } from '../../base/http/html.ts';
import type { World } from '../../base/world.ts';
import { listLinks } from '../../orders/links/queries.ts';
import type { Texts } from '../../texts/languages.ts';
import { searchField } from '../frame/choosing.ts';
import { emptyState, screen } from '../frame/parts.ts';
import { type Answer, get, type Visit } from '../frame/route.ts';
import { type ListRow, rowList } from '../frame/rows.ts';
import { shopPages } from '../frame/shop-page.ts';
import { findPayments } from '../payments/routes.ts';

const path = '/dashboard/search';
const longestSearch = 200;
const mostFound = 8;

export const searchRoutes = [get(path, 'business.read', showFound)];

function pagesOf({ shell: { navigation }, shop, toDo }: Texts): ListRow[] {
  return [
    { href: '/dashboard', who: navigation.home },
    { href: '/dashboard/counter', who: navigation.counter },
    { href: '/dashboard/links', who: navigation.links },
    { href: '/dashboard/payments', who: navigation.payments },
    { href: '/dashboard/payments?view=orders', who: navigation.orders },
    { href: '/dashboard/reports', who: navigation.reports },
    { href: '/dashboard/reports/check', who: navigation.statement },
    { href: '/dashboard/audit', who: shop.activity },
    { href: '/dashboard/to-do', who: toDo.title },
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
${shown.length === 0 ? html`<div role="status">${emptyState(words.nothing, texts.payments.searchHint, undefined, 'search')}</div>` : shown.map(([title, rows]) => html`<section><div class="heading"><h2>${title}</h2></div>${rowList(rows)}</section>`)}`;
}
