import { type Html, html } from '../../base/http/html.ts';
import type { Permission } from '../../business/accounts/may-do.ts';
import type { Texts } from '../../texts/languages.ts';
import { tabs } from './choosing.ts';
import { type IconName, icon } from './icon.ts';
import { screen } from './parts.ts';
import type { Visit } from './route.ts';

export const shopHome = '/dashboard/shop';

type ShopPage = {
  name: keyof Texts['shop']['pages'];
  path: `/dashboard/${string}`;
  icon: IconName;
  permission: Permission;
};

const page = (name: ShopPage['name'], path: ShopPage['path'], icon: IconName): ShopPage => ({
  name,
  path,
  icon,
  permission: name === 'notifications' ? 'self' : 'business.read',
});

export const shopPages: readonly ShopPage[] = [
  page('bank', `${shopHome}/bank`, 'bank'),
  page('customers', `${shopHome}/customers`, 'phone'),
  page('rules', `${shopHome}/rules`, 'settings'),
  page('team', '/dashboard/team', 'team'),
  page('notifications', `${shopHome}/notifications`, 'bell'),
  page('plan', '/dashboard/plan', 'plan'),
  page('privacy', `${shopHome}/privacy`, 'lock'),
  page('integrations', '/dashboard/integrations', 'code'),
];

type Options = NonNullable<Parameters<typeof screen>[1]>;

/** One of these pages, or with a `title` a page below it. The others are next to it on a desktop. */
export function shopScreen(
  { texts, may }: Visit,
  name: ShopPage['name'],
  { title, text, ...options }: Options & { title?: string } = {},
) {
  const words = texts.shop;
  const own = shopPages.find(one => one.name === name)!;
  const shown = shopPages.filter(({ permission }) => may(permission));
  const back =
    title !== undefined
      ? { href: own.path, text: words.pages[name] }
      : may('business.read')
        ? { href: shopHome, text: texts.shell.navigation.shop }
        : { href: '/dashboard/account', text: texts.shell.yourAccount };
  const others = html`<nav class="subnav" aria-label="${texts.shell.navigation.shop}">${shown.map(
    one =>
      html`<a href="${one.path}"${one === own && html` aria-current="${title === undefined ? 'page' : 'true'}"`}>${icon(one.icon, true)}${words.pages[one.name]}</a>`,
  )}</nav>`;
  return (...template: Parameters<typeof html>) =>
    screen(title ?? words.pages[name], {
      back,
      ...options,
    })`<div class="shop-page">${others}<div class="stack">${text !== undefined && html`<p class="small quiet">${text}</p>`}${html(...template)}</div></div>`;
}

export function teamTabs({ texts, may }: Visit, current: 'team' | 'audit'): Html | false {
  const { pages, teamTab, activity } = texts.shop;
  if (!may('audit.read')) return false;
  return tabs(pages.team, [
    { href: '/dashboard/team', text: teamTab, current: current === 'team' },
    { href: '/dashboard/audit', text: activity, current: current === 'audit' },
  ]);
}
