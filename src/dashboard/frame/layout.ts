import type { Listening } from '../../alerts/forwarding/forwarding-state.ts';
import { type Html, html } from '../../base/http/html.ts';
import type { ServedFiles } from '../../base/http/serve-files.ts';
import type { Operator } from '../../base/settings/config-operator.ts';
import { version } from '../../base/version.ts';
import type { World } from '../../base/world.ts';
import type { Permission } from '../../business/accounts/may-do.ts';
import { languages, type Texts } from '../../texts/languages.ts';
import { searchField, shownCount } from './choosing.ts';
import { hidden } from './controls.ts';
import { type IconName, icon } from './icon.ts';
import { flashMessage, moment } from './parts.ts';
import type { Page, Visit } from './route.ts';
import { letterFace, state } from './rows.ts';

export type FileAddresses = ServedFiles<string>;

type Layout = { files: FileAddresses; operator: Operator; texts: Texts; page: Page; now: Date };

export type Surroundings = {
  items: readonly MenuItem[];
  /** Null for a person without a shop of their own. */
  listening: Listening | null;
  message: Message | null;
};

/** A message about the last action, shown once, and how to take that action back. */
export type Message = { text: string; undo?: { action: string; values: Record<string, string> } };

/** A page for a signed-in person: the places, search, shop, account, message and body. */
export function memberLayout(layout: Layout, visit: Visit, around: Surroundings): Html {
  const { files, texts, page } = layout;
  const { message } = around;
  return frame(
    layout,
    html`<nav class="places" aria-label="${texts.shell.menu}">
<a class="brand" href="${around.items[0]?.href ?? '/dashboard/account'}">${logo(files)}<span>${texts.shell.product}</span></a>
${placeLinks(visit, texts, around.items)}
${around.listening && listeningLine(texts, around.listening)}
</nav>
<header class="top">
${shopName(visit, around.items)}
${visit.mayOpen(searchPage) && searchOf(visit, texts)}
${accountMenu(visit, texts)}
</header>
<main id="content" tabindex="-1">
${supportViewNotice(visit)}${closedNotice(visit, layout.operator)}
${message && !message.undo && flashMessage(message.text)}
${page.body}
${runBy(texts, layout.operator)}
</main>
${keyList(visit, texts)}
${message?.undo && html`<div class="message" role="status"><p>${message.text}</p><form method="post" action="${message.undo.action}">${hidden(message.undo.values)}<button class="button">${texts.shell.undo}</button></form></div>`}`,
    'member',
  );
}

function placeLinks({ url }: Visit, { shell, operator }: Texts, items: readonly MenuItem[]): Html[] {
  const names = { ...shell.navigation, ...operator.navigation };
  const path = url.split('?')[0]!;
  const coveredLength = ({ covers }: MenuItem) =>
    Math.max(...covers.map(one => (isBelow(path, one) ? one.length : 0)));
  const current = items.toSorted((a, b) => coveredLength(b) - coveredLength(a))[0];
  const isCurrent = (item: MenuItem) => item === current && coveredLength(item) > 0;
  return items.map(
    item =>
      html`<a href="${item.href}"${isCurrent(item) && html` aria-current="${path === item.href ? 'page' : 'true'}"`}><span class="pill">${icon(item.icon)}</span><span>${names[item.text]}</span>${waitingCount(shell, item.count)}</a>`,
  );
}

function isBelow(path: string, above: string): boolean {
  return path === above || (above !== '/dashboard' && path.startsWith(`${above}/`));
}

function waitingCount({ waiting }: Texts['shell'], count: number): Html | null {
  if (count === 0) return null;
  return html` <span class="count">${shownCount(count)}<span class="unseen"> ${waiting}</span></span>`;
}

/** Whether a payment made now would be seen, at the foot of the places on a desktop. */
function listeningLine({ shell }: Texts, { isListening, lastMail }: Listening): Html {
  const said = isListening ? state(shell.listening, 'good') : state(shell.notListening, 'bad');
  return html`<p class="live small">${said}<br><span class="quiet">${lastMail === null ? shell.noBankEmail : html`${shell.lastBankEmail} ${moment(lastMail)}`}</span></p>`;
}

/** A longer name has smaller letters, so that it is there to its last one. */
const longName = 24;

function shopName({ merchant: { name } }: Visit, items: readonly MenuItem[]): Html {
  const shop = items.find(({ text }) => text === 'shop');
  const kind = name.length > longName ? 'shop long' : 'shop';
  const said = html`<span class="mark" aria-hidden="true">${letterOf(name)}</span><bdi>${name}</bdi>`;
  return shop
    ? html`<a class="${kind}" href="${shop.href}">${said}</a>`
    : html`<p class="${kind}">${said}</p>`;
}

const searchPage = '/dashboard/search';

function searchOf({ query, url }: Visit, { shell }: Texts): Html {
  const value = url.split('?')[0] === searchPage ? query.text('q') : '';
  return html`<div class="top-search">${searchField(searchPage, shell.search, value, shell.searchHint)}<kbd hidden>Ctrl K</kbd></div>
<a class="tool to-search" href="${searchPage}" aria-label="${shell.search}">${icon('search')}</a>`;
}

/** On every page: a person who shares a phone must find the way to sign out. */
function accountMenu({ user, url }: Visit, texts: Texts): Html {
  const { shell } = texts;
  const isHere = isBelow(url.split('?')[0]!, '/dashboard/account');
  return html`<details class="menu account-menu"><summary class="tool" aria-label="${shell.yourAccount}"><span class="me" aria-hidden="true">${letterOf(user.name)}</span></summary>
<ul data-person="${user.email}"><li><p class="small"><bdi>${user.name}</bdi><br><span class="quiet">${shell.roles[user.role]}${user.role === 'operator' && ` · ${shell.product} ${version}`}</span></p></li>
${
  user.role === 'onlooker'
    ? html`<li>${endSupportView(texts)}</li>`
    : html`<li><a href="/dashboard/account"${isHere && html` aria-current="page"`}>${icon('account', true)}${shell.yourAccount}</a></li>
<li><form method="post" action="/dashboard/sign-out"><button>${icon('signOut', true)}${shell.signOut}</button></form></li>`
}</ul></details>`;
}

/** The script opens it by "?". */
function keyList({ mayOpen }: Visit, { shell: { keys, search } }: Texts): Html {
  const listed = [
    mayOpen(searchPage) && ['/ · Ctrl K', search],
    mayOpen('/dashboard/counter') && ['n', keys.pay],
    ['Esc', keys.leave],
    ['?', keys.list],
  ].filter(one => one !== false);
  return html`<div id="key-list" class="card" role="dialog" aria-labelledby="keys-title" popover><h2 id="keys-title">${keys.title}</h2><dl>${listed.map(([key, said]) => html`<div class="between"><dt>${said}</dt><dd><kbd>${key}</kbd></dd></div>`)}</dl><a href="/dashboard/account#single-keys">${keys.change}</a></div>`;
}

function letterOf(name: string): string {
  const face = letterFace(name);
  return 'letter' in face ? face.letter : '·';
}

/** A page for a visitor: sign-in, recovery, an invitation, a refusal. `next` is the page to go on to. */
export function openLayout(layout: Layout, next: string): Html {
  const { texts, page } = layout;
  return frame(
    layout,
    html`<main id="content" class="narrow" tabindex="-1">
<p class="brand">${logo(layout.files)}${texts.shell.product}</p>
${flashMessage(page.flash ?? null)}
${page.body}
<p class="quiet languages">${otherLanguages(texts, next)}</p>
${runBy(texts, layout.operator)}
</main>`,
    'open',
  );
}

function logo({ icon }: FileAddresses): Html {
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

function frame({ files, texts, page, now }: Layout, body: Html, kind: string): Html {
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
<meta name="theme-color" content="#0d1412" media="(prefers-color-scheme: dark)">
<link rel="stylesheet" href="${files.style}">
<script src="${files.script}" defer></script>
</head>
<body class="${kind}" data-copied="${texts.shell.copied}" data-worker="/dashboard-worker.js" data-now="${now.getTime()}">
<a class="skip" href="#content">${texts.shell.skip}</a>
${body}
<p class="unseen" id="say" role="status"></p>
</body>
</html>
`;
}

function closedNotice({ merchant, texts, user }: Visit, { mail }: Operator): Html | null {
  if (user.role === 'operator') return null;
  if (merchant.deletionRequestedAt) {
    return html`<p class="note bad" role="status">${texts.shell.businessLeaving} <a href="/dashboard/settings">${texts.shell.seeSettings}</a></p>`;
  }
  if (merchant.leftAt) {
    return html`<p class="note bad" role="status">${texts.shell.businessMoved} <a href="/dashboard/settings">${texts.shell.seeSettings}</a></p>`;
  }
  const said = merchant.disabledAt
    ? texts.shell.businessDisabled
    : merchant.noNewOrders && texts.platform.noNewOrdersNote;
  if (said === false) return null;
  const reason = merchant.disabledReason;
  return html`<p class="note bad" role="status">${said}${reason !== '' && html` ${texts.platform.reason} <bdi>${reason}</bdi>`}${mail !== null && html` <a href="mailto:${mail}">${mail}</a>`}</p>`;
}

function supportViewNotice({ merchant: { name, supportViewUntil }, texts }: Visit): Html | null {
  if (supportViewUntil === null) return null;
  const { inSupportView, supportViewEndsAt } = texts.platform;
  return html`<div class="note" role="status"><p>${inSupportView({ business: name })} ${supportViewEndsAt} ${moment(supportViewUntil)}</p>${endSupportView(texts)}</div>`;
}

function endSupportView({ platform }: Texts): Html {
  return html`<form method="post" action="/dashboard/look/end"><button class="button plain">${platform.endSupportView}</button></form>`;
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

type Ask<T> = (world: Pick<World, 'sql'>, visit: Pick<Visit, 'merchantId' | 'now'>) => Promise<T>;

export type Place = {
  text: keyof (Texts['shell']['navigation'] & Texts['operator']['navigation']);
  icon: IconName;
  /** The person's page is the first one that exists and that they may open. Without one the place is not shown. */
  pages: readonly `/dashboard${string}`[];
  /** Further addresses that belong to it, each with everything below. */
  covers?: readonly `/dashboard${string}`[];
  /** Shown only to a person who may do this too, or who may not. */
  only?: Permission;
  unless?: Permission;
  /** The number of things that wait there for this person; shown if it is above zero. */
  waiting?: Ask<number>;
};

export type MenuItem = Pick<Place, 'text' | 'icon'> & {
  href: string;
  covers: readonly string[];
  count: number;
};
