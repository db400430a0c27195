import { type Html, html } from '../../base/http/html.ts';
import type { ServedFiles } from '../../base/http/serve-files.ts';
import type { Operator } from '../../base/settings/config-operator.ts';
import { version } from '../../base/version.ts';
import { languages, type Texts } from '../../texts/languages.ts';
import { icon } from './icon.ts';
import { type MenuItem, waitingBadge } from './navigation-item.ts';
import { flashMessage, moment } from './parts.ts';
import type { Page, Visit } from './route.ts';

/** Addresses of the dashboard's own files, with the hash of their content. */
export type FileAddresses = ServedFiles<string>;

type Layout = { files: FileAddresses; operator: Operator; texts: Texts; page: Page };

/** A page for somebody who is signed in: menu, business, what happened, and the body. */
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

/** Of the shop's two the second begins with a line and no name: both are the owner's. */
const groups = ['shop', 'business', 'developer', 'operator'] as const;

function menuGroup(
  { shell }: Texts,
  group: (typeof groups)[number],
  items: readonly MenuItem[],
  current: MenuItem | undefined,
): Html | null {
  // It stands above every page, as the one button that all of them have.
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

/** A page for somebody who is not: sign-in, recovery, an invitation, a refusal. `next` is where to go on to. */
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

/** Before anybody has an account to keep the choice, the address and then a cookie keep it. */
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

function lookNotice({ business: { name, lookUntil }, texts }: Visit): Html | null {
  if (lookUntil === null) return null;
  const { looking, lookEndsAt } = texts.platform;
  return html`<div class="note" role="status"><p>${looking({ business: name })} ${lookEndsAt} ${moment(lookUntil)}</p>${endLook(texts)}</div>`;
}

function endLook({ platform }: Texts): Html {
  return html`<form method="post" action="/dashboard/look/end"><button class="button plain">${platform.endLook}</button></form>`;
}

/** Who runs this installation and how to reach them, at the foot of every page that may say "ask the operator". */
function runBy({ platform }: Texts, { name, mail, phone, termsUrl, privacyUrl }: Operator): Html | null {
  const told = [
    name !== null && html`<bdi>${name}</bdi>`,
    mail !== null && html`<a href="mailto:${mail}">${mail}</a>`,
    phone !== null && html`<a href="tel:${phone.replace(/[^+\d]/g, '')}">${phone}</a>`,
    termsUrl !== null && html`<a href="${termsUrl}">${platform.termsLink}</a>`,
    privacyUrl !== null && html`<a href="${privacyUrl}">${platform.privacyLink}</a>`,
  ].filter(one => one !== false);
  if (told.length === 0) return null;
  const parts = told.map((one, at) => html`${at > 0 && ' · '}${one}`);
  return html`<footer class="run-by quiet">${(name ?? mail ?? phone) !== null && `${platform.runBy} `}${parts}</footer>`;
}

/** What a shop does all day. Whoever may not open one of these has the first others of their menu instead. */
const wanted: readonly MenuItem['text'][] = ['home', 'newPayment', 'counter', 'money'];

/** In the menu's order. */
function barItems(items: readonly MenuItem[]): MenuItem[] {
  const first = [...items.filter(isWanted), ...items.filter(item => !isWanted(item))];
  return items.filter(item => first.indexOf(item) < wanted.length);
}

function isWanted({ text }: MenuItem): boolean {
  return wanted.includes(text);
}

/** On a phone, where the thumb is. Its last button opens the menu, without script too: that has the rest. */
function bottomBar({ shell }: Texts, items: readonly MenuItem[], current: MenuItem | undefined): Html {
  const shown = barItems(items);
  const elsewhere = items.filter(item => !shown.includes(item)).reduce((sum, { count }) => sum + count, 0);
  const isElsewhere = current === undefined || !shown.includes(current);
  return html`<nav class="bar" aria-label="${shell.bar}">
${shown.map(item => html`<a href="${item.path}"${item === current && html` aria-current="page"`}>${icon(item.text)}<span>${shell.navigation[item.text]}</span>${waitingBadge(shell, item.count)}</a>`)}
<button type="button" popovertarget="menu"${isElsewhere && html` aria-current="true"`}>${icon('menu')}<span>${shell.more}</span>${waitingBadge(shell, elsewhere)}</button>
</nav>`;
}
