import { type Html, html } from '../http/html.ts';
import { languages, type Texts } from '../texts/languages.ts';
import { version } from '../version.ts';
import type { PageFiles } from './build-dashboard.ts';
import { badge } from './components/badge.ts';
import { flashMessage } from './components/flash.ts';
import type { NavigationItem } from './navigation.ts';
import type { Page, Visit } from './route.ts';

/** Addresses of the dashboard's own files, with the hash of their content. */
export type FileAddresses = Record<keyof PageFiles, string>;

/** With the number of things that wait there. */
export type MenuItem = NavigationItem & { count: number };

type Layout = { files: FileAddresses; texts: Texts; page: Page };

/** A page for somebody who is signed in: menu, business, what happened, and the body. */
export function memberLayout(
  { files, texts, page }: Layout,
  visit: Visit,
  items: readonly MenuItem[],
  flash: string | null,
): Html {
  const { shell } = texts;
  const path = visit.url.split('?')[0]!;
  const current = items
    .filter(item => path === item.path || (item.path !== '/dashboard' && path.startsWith(`${item.path}/`)))
    .sort((a, b) => b.path.length - a.path.length)[0];
  return frame(
    { files, texts, page },
    html`<header class="top">
<button class="menu" type="button" popovertarget="menu">${shell.menu}</button>
<a class="brand" href="${items[0]?.path ?? '/dashboard/account'}">${mark(files)}${shell.product}</a>
<p class="business"><bdi>${visit.business.name}</bdi></p>
</header>
<nav id="menu" class="sidebar" popover aria-label="${shell.menu}">
<ul>${items.map(
      item =>
        html`<li${item.apart && html` class="apart"`}><a href="${item.path}"${item === current && html` aria-current="page"`}>${shell.navigation[item.text]}${item.count > 0 && html` ${badge(shell.waiting(item.count), 'warn')}`}</a></li>`,
    )}</ul>
<div class="who">
<p><bdi>${visit.user.email}</bdi><br><span class="quiet">${shell.roles[visit.user.role]}</span></p>
<ul><li><a href="/dashboard/account"${path.startsWith('/dashboard/account') && html` aria-current="page"`}>${shell.yourAccount}</a></li></ul>
<form method="post" action="/dashboard/sign-out"><button class="button plain">${shell.signOut}</button></form>
${visit.user.role === 'operator' && html`<p class="quiet">${shell.product} ${version}</p>`}
</div>
</nav>
<main id="content" tabindex="-1">
${closedNotice(visit)}
${flashMessage(flash)}
${page.body}
</main>`,
    'member',
  );
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
<meta name="viewport" content="width=device-width,initial-scale=1">
<title>${page.title} · ${texts.shell.product}</title>
<meta name="robots" content="noindex">
<meta name="color-scheme" content="light dark">
<meta name="format-detection" content="telephone=no">
<meta name="referrer" content="same-origin">
<link rel="icon" href="${files.icon}" type="image/svg+xml">
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

function closedNotice({ business, texts, user }: Visit): Html | null {
  if (user.role === 'operator') return null;
  if (business.deletionRequestedAt) {
    return html`<p class="note bad" role="status">${texts.shell.businessLeaving} <a href="/dashboard/settings">${texts.shell.seeSettings}</a></p>`;
  }
  return business.disabledAt
    ? html`<p class="note bad" role="status">${texts.shell.businessDisabled}</p>`
    : null;
}
