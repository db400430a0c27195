import { type Html, html } from '../../base/http/html.ts';
import type { ServedFiles } from '../../base/http/serve-files.ts';
import type { Operator } from '../../base/settings/config-operator.ts';
import { version } from '../../base/version.ts';
import type { World } from '../../base/world.ts';
import type { Permission } from '../../business/accounts/may-do.ts';
import { languages, type Texts } from '../../texts/languages.ts';
import { flashMessage, moment } from './parts.ts';
import type { Page, Visit } from './route.ts';

/** The addresses of the dashboard's own files, with their content's hash. */
export type FileAddresses = ServedFiles<string>;

type Layout = { files: FileAddresses; operator: Operator; texts: Texts; page: Page };

/** A page for a signed-in person: menu, business, flash message and body. */
export function memberLayout(layout: Layout, visit: Visit, items: readonly MenuItem[], flash: string | null) {
  const { files, texts, page } = layout;
  const { shell } = texts;
  const path = visit.url.split('?')[0]!;
  const current = items
    .filter(item => path === item.path || (item.path !== '/dashboard' && path.startsWith(`${item.path}/`)))
    .sort((a, b) => b.path.length - a.path.length)[0];
  const home = items[0]?.path ?? '/dashboard/account';
  const pay = items.find(item => item.text === 'newPayment');
  return frame(
    layout,
    html`<header class="top">
<button class="menu" type="button" popovertarget="menu">${icon('menu')}<span>${shell.menu}</span></button>
<a class="brand" href="${home}">${mark(files)}<span>${shell.product}</span></a>
<p class="business"><bdi>${visit.business.name}</bdi></p>
${pay && html`<a class="button${path !== '/dashboard' && ' plain'} take" href="${pay.path}"${pay === current && html` aria-current="page"`}>${icon('newPayment')}${shell.navigation.newPayment}</a>`}
</header>
<nav id="menu" class="sidebar" popover aria-label="${shell.menu}">
${groups.map(group => menuGroup(texts, group, items, current))}
<div class="who">
<p><bdi>${visit.user.email}</bdi><br><span class="quiet">${shell.roles[visit.user.role]}${visit.user.role === 'operator' && ` · ${shell.product} ${version}`}</span></p>
${
  visit.user.role === 'onlooker'
    ? endLook(texts)
    : html`<a href="/dashboard/account"${path.startsWith('/dashboard/account') && html` aria-current="page"`}>${icon('account')}${shell.yourAccount}</a>
<form method="post" action="/dashboard/sign-out"><button>${icon('signOut')}${shell.signOut}</button></form>`
}
</div>
</nav>
<main id="content" tabindex="-1">
${lookNotice(visit)}${closedNotice(visit, layout.operator)}
${flashMessage(flash)}
${page.body}
${runBy(texts, layout.operator)}
</main>
${bottomBar(texts, items, current)}`,
    'member',
  );
}

/** The shop has two groups. The second one begins with a line and no title, because both are the owner's. */
const groups = ['shop', 'business', 'developer', 'operator'] as const;

function menuGroup(
  { shell }: Texts,
  group: (typeof groups)[number],
  items: readonly MenuItem[],
  current: MenuItem | undefined,
): Html | null {
  // Left out here, because every page shows it as a button at the top.
  const shown = items.filter(item => item.group === group && item.text !== 'newPayment');
  if (shown.length === 0) return null;
  const inBar = barItems(items);
  const name = group === 'shop' || group === 'developer' ? shell.groups[group] : null;
  return html`${name !== null && html`<h2 id="menu-${group}">${name}</h2>`}
<ul${name !== null && html` aria-labelledby="menu-${group}"`}>${shown.map(
    item =>
      html`<li${inBar.includes(item) && html` class="in-bar"`}><a href="${item.path}"${item === current && html` aria-current="page"`}>${icon(item.text)}<span>${shell.navigation[item.text]}</span>${waitingBadge(shell, item.count)}</a></li>`,
  )}</ul>`;
}

/** A page for a visitor: sign-in, recovery, an invitation, a refusal. `next` is the page to go on to. */
export function openLayout(layout: Layout, next: string): Html {
  const { texts, page } = layout;
  return frame(
    layout,
    html`<main id="content" class="narrow" tabindex="-1">
<p class="brand">${mark(layout.files)}${texts.shell.product}</p>
${flashMessage(page.flash ?? null)}
${page.body}
<p class="quiet languages">${otherLanguages(texts, next)}</p>
${runBy(texts, layout.operator)}
</main>`,
    'open',
  );
}

function mark({ icon }: FileAddresses): Html {
  return html`<img src="${icon}" alt="" width="24" height="24">`;
}

/** Without an account the address, and then a cookie, keeps the language. */
function otherLanguages({ tag }: Texts, next: string): Html[] {
  const way = next === '' ? '' : `&next=${encodeURIComponent(next)}`;
  return languages
    .filter(one => one.tag !== tag)
    .map(
      one =>
        html`<a href="?lang=${one.tag}${way}" lang="${one.tag}" hreflang="${one.tag}">${one.language}</a>`,
    );
}

function frame({ files, texts, page }: Layout, body: Html, kind: string): Html {
  return html`<!doctype html>
<html lang="${texts.tag}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width,initial-scale=1,viewport-fit=cover">
<title>${page.title} · ${texts.shell.product}</title>
<meta name="robots" content="noindex">
<meta name="color-scheme" content="light dark">
<meta name="format-detection" content="telephone=no">
<meta name="referrer" content="same-origin">
<link rel="icon" href="${files.icon}">
<link rel="manifest" href="/dashboard-files/app-${texts.tag}.webmanifest">
<link rel="apple-touch-icon" href="/dashboard-files/icon-apple-180.png">
<meta name="theme-color" content="#ffffff" media="(prefers-color-scheme: light)">
<meta name="theme-color" content="#16201d" media="(prefers-color-scheme: dark)">
<link rel="stylesheet" href="${files.style}">
<script src="${files.script}" defer></script>
</head>
<body class="${kind}" data-copied="${texts.shell.copied}" data-worker="/dashboard-worker.js">
<a class="skip" href="#content">${texts.shell.skip}</a>
${body}
<p class="unseen" id="say" role="status"></p>
</body>
</html>
`;
}

function closedNotice({ business, texts, user }: Visit, { mail }: Operator): Html | null {
  if (user.role === 'operator') return null;
  if (business.deletionRequestedAt) {
    return html`<p class="note bad" role="status">${texts.shell.businessLeaving} <a href="/dashboard/settings">${texts.shell.seeSettings}</a></p>`;
  }
  if (business.leftAt) {
    return html`<p class="note bad" role="status">${texts.shell.businessMoved} <a href="/dashboard/settings">${texts.shell.seeSettings}</a></p>`;
  }
  const said = business.disabledAt
    ? texts.shell.businessDisabled
    : business.noNewOrders && texts.platform.noNewOrdersNote;
  if (said === false) return null;
  const reason = business.disabledReason;
  return html`<p class="note bad" role="status">${said}${reason !== '' && html` ${texts.platform.reason} <bdi>${reason}</bdi>`}${mail !== null && html` <a href="mailto:${mail}">${mail}</a>`}</p>`;
}

function lookNotice({ business: { name, supportViewUntil }, texts }: Visit): Html | null {
  if (supportViewUntil === null) return null;
  const { looking, lookEndsAt } = texts.platform;
  return html`<div class="note" role="status"><p>${looking({ business: name })} ${lookEndsAt} ${moment(supportViewUntil)}</p>${endLook(texts)}</div>`;
}

function endLook({ platform }: Texts): Html {
  return html`<form method="post" action="/dashboard/look/end"><button class="button plain">${platform.endLook}</button></form>`;
}

/** The operator's name and contact, at the foot of every page that may say "ask the operator". */
function runBy({ platform }: Texts, { name, mail, phone, termsUrl, privacyUrl }: Operator): Html | null {
  const shown = [
    name !== null && html`<bdi>${name}</bdi>`,
    mail !== null && html`<a href="mailto:${mail}">${mail}</a>`,
    phone !== null && html`<a href="tel:${phone.replace(/[^+\d]/g, '')}">${phone}</a>`,
    termsUrl !== null && html`<a href="${termsUrl}">${platform.termsLink}</a>`,
    privacyUrl !== null && html`<a href="${privacyUrl}">${platform.privacyLink}</a>`,
  ].filter(one => one !== false);
  if (shown.length === 0) return null;
  const parts = shown.map((one, at) => html`${at > 0 && ' · '}${one}`);
  return html`<footer class="run-by quiet">${(name ?? mail ?? phone) !== null && `${platform.runBy} `}${parts}</footer>`;
}

/** The shop's daily screens. A person who may not open one of them gets the first other screens of their menu. */
const wanted: readonly MenuItem['text'][] = ['home', 'newPayment', 'counter', 'money'];

/** In the menu's order. */
function barItems(items: readonly MenuItem[]): MenuItem[] {
  const first = [...items.filter(isWanted), ...items.filter(item => !isWanted(item))];
  return items.filter(item => first.indexOf(item) < wanted.length);
}

function isWanted({ text }: MenuItem): boolean {
  return wanted.includes(text);
}

/** The phone's bar at the bottom. Its last button opens the menu with all other screens, also without script. */
function bottomBar({ shell }: Texts, items: readonly MenuItem[], current: MenuItem | undefined): Html {
  const shown = barItems(items);
  const elsewhere = items.filter(item => !shown.includes(item)).reduce((sum, { count }) => sum + count, 0);
  const isElsewhere = current === undefined || !shown.includes(current);
  return html`<nav class="bar" aria-label="${shell.bar}">
${shown.map(item => html`<a href="${item.path}"${item === current && html` aria-current="page"`}>${icon(item.text)}<span>${shell.navigation[item.text]}</span>${waitingBadge(shell, item.count)}</a>`)}
<button type="button" popovertarget="menu"${isElsewhere && html` aria-current="true"`}>${icon('menu')}<span>${shell.more}</span>${waitingBadge(shell, elsewhere)}</button>
</nav>`;
}

/** Drawn on a 24-unit square with one line width, so that all icons match. */
const paths = {
  account: 'M12 12a4 4 0 1 0 0-8 4 4 0 0 0 0 8zM4 21a8 8 0 0 1 16 0',
  audit: 'M5 4h14v16H5zM9 9.5l1.5 1.5L13.5 8M9 15.5h6',
  counter: 'M5 3h14v18H5zM8.5 7.5h7M8.5 12.5h1.5m4 0h1.5M8.5 16.5h1.5m4 0h1.5',
  firstSteps: 'M6 21V4h12l-2.5 4L18 12H6',
  home: 'M4 11l8-7 8 7v9h-5.5v-6h-5v6H4z',
  integrations: 'M8 7l-5 5 5 5M16 7l5 5-5 5M13.5 5l-3 14',
  links: 'M9 8H7.5a4 4 0 0 0 0 8H9M15 8h1.5a4 4 0 0 1 0 8H15M8.5 12h7',
  mailbox: 'M3 6h18v12.5H3zM3.5 7l8.5 6.5L20.5 7',
  menu: 'M4 7h16M4 12h16M4 17h16',
  money: 'M7 5h10M7 9.5h10M7 5h3.5a4.25 4.25 0 0 1 0 8.5H7l7 6.5',
  newPayment: 'M12 5v14M5 12h14',
  notices: 'M6 17v-6a6 6 0 0 1 12 0v6l2 2H4zM10 22h4',
  operator: 'M4 9.5L5.5 4h13L20 9.5V20H4zM4 9.5h16M10 20v-5.5h4V20',
  operatorPlans: 'M12 4l9 4.5-9 4.5-9-4.5zM3 13l9 4.5 9-4.5',
  operatorSales: 'M4 4h7.5L20 12.5 12.5 20 4 11.5zM8.5 8.5h.1',
  operatorBanks: 'M3 9.5L12 4l9 5.5zM4 20h16M6 12.5V17m4-4.5V17m4-4.5V17m4-4.5V17',
  operatorHealth: 'M3 12.5h4l3-7.5 4 14 3-6.5h4',
  operatorWatch: 'M12 3.5l9.5 16.5h-19zM12 9.5v5M12 17.3v.4',
  orders: 'M6 3h12v18l-3-2-3 2-3-2-3 2zM9.5 8h5M9.5 12.5h5',
  plan: 'M4 20.5h16M6.5 17v-4M12 17V8M17.5 17V4',
  search: 'M10.5 17a6.5 6.5 0 1 0 0-13 6.5 6.5 0 0 0 0 13zM15.5 15.5L21 21',
  settings:
    'M4 7h9M17 7h3M4 17h3M11 17h9M17 7a2 2 0 1 1-4 0 2 2 0 0 1 4 0zM11 17a2 2 0 1 1-4 0 2 2 0 0 1 4 0z',
  signOut: 'M13.5 4H5v16h8.5M10 12h11M17 8l4 4-4 4',
  statement: 'M5 3h9.5L19 7.5V21H5zM14 3v5h5M8.5 13h7M8.5 17h7',
  team: 'M9 11a3.5 3.5 0 1 0 0-7 3.5 3.5 0 0 0 0 7zM2.5 20a6.5 6.5 0 0 1 13 0M15.5 4.3a3.5 3.5 0 0 1 0 6.4M17.5 14a6.5 6.5 0 0 1 4 6',
  upiAccounts: 'M3 6h18v12.5H3zM3 10.5h18M6.5 15h4',
  webhooks: 'M3 12h12.5M11 7.5l4.5 4.5-4.5 4.5M20.5 5v14',
  workshop: 'M4.5 19.5l7-7M9.5 7.5l7 7 3-3-2.5-5.5L11.5 4z',
} as const;

/** Decorative: it is always next to a word. */
export function icon(name: keyof typeof paths): Html {
  return html`<svg class="icon" viewBox="0 0 24 24" aria-hidden="true"><path d="${paths[name]}"></path></svg>`;
}

type Ask<T> = (world: Pick<World, 'sql'>, visit: Pick<Visit, 'merchantId' | 'now'>) => Promise<T>;

export type NavigationItem = {
  path: `/dashboard${string}`;
  text: keyof Texts['shell']['navigation'];
  permission: Permission;
  /** The shop's daily work, the business's settings, the developer's or the operator's screens. */
  group: 'shop' | 'business' | 'developer' | 'operator';
  /** The number of things that wait there for this person; shown if it is above zero. */
  waiting?: Ask<number>;
  /** If this is true, the menu leaves the item out; its page still works. */
  isOver?: Ask<boolean>;
};

/** With the number of things that wait there. */
export type MenuItem = NavigationItem & { count: number };

/** The menu shows no larger number. */
export const mostShown = 99;

function waitingBadge({ waiting }: Texts['shell'], count: number): Html | null {
  if (count === 0) return null;
  return html` <span class="badge warn">${count > mostShown ? `${mostShown}+` : count}<span class="unseen"> ${waiting}</span></span>`;
}
