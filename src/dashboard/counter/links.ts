import { later } from '../../base/clock.ts';
import { type Html, html } from '../../base/http/html.ts';
import { paise } from '../../base/money.ts';
import { shownName } from '../../base/read-name.ts';
import type { World } from '../../base/world.ts';
import {
  findLink,
  linkState,
  listLinks,
  type PaymentLink,
  pauseLink,
  selectPaidByLink,
  withdrawLink,
} from '../../orders/links/queries.ts';
import type { Texts } from '../../texts/languages.ts';
import { moreMenu } from '../frame/choosing.ts';
import { copyButton, dangerButton, postButton } from '../frame/controls.ts';
import { icon } from '../frame/icon.ts';
import { emptyState, moment, roundRupees, screen, shortSum } from '../frame/parts.ts';
import { makeChange } from '../frame/record-change.ts';
import { type Answer, get, notFound, post, redirect, type Visit } from '../frame/route.ts';
import { letterFace, money, rowList, state } from '../frame/rows.ts';
import { selectAccounts } from '../upi-accounts/queries.ts';
import { collectTabs } from './counter.ts';
import { newLinkRoutes } from './new-link.ts';
import { linkUrl, shareButtons, tooMuchNote, whatsappHref } from './payment-page.ts';

const home = '/dashboard/links';
const shownPayers = 50;

export const linkRoutes = [
  get(home, 'links.change', linksPage),
  ...newLinkRoutes,
  get(`${home}/:payment_link_id`, 'links.change', showLink),
  get(`${home}/:payment_link_id/poster`, 'links.change', async (world, { merchantId, params, now }) => {
    const link = await findLink(world.sql, merchantId, params['payment_link_id']!, now);
    return link ? redirect(`/dashboard/poster?of=${link.link_id}`) : notFound();
  }),
  post(`${home}/:payment_link_id/pause`, 'links.change', (world, visit) => pause(world, visit, visit.now)),
  post(`${home}/:payment_link_id/resume`, 'links.change', (world, visit) => pause(world, visit, null)),
  post(`${home}/:payment_link_id/withdraw`, 'links.change', endLink),
];

async function linksPage(world: World, visit: Visit): Promise<Answer> {
  const { texts, merchantId, now } = visit;
  const words = texts.counter;
  const links = await listLinks(world.sql, merchantId, now);
  const paid = links.reduce((sum, { paid_pieces }) => sum + paid_pieces, 0);
  const earned = links.reduce((sum, { earned_paise }) => sum + earned_paise, 0);
  const make = html`<a class="button" href="${home}/new">${icon('plus', true)}${words.newLink}</a>`;
  return screen(words.places.links, { quietOnPhone: true })`
${collectTabs(visit, 'links')}
${
  links.length === 0
    ? emptyState(words.noLinksTitle, words.noLinksText, make, 'link')
    : html`<div class="between"><p><b>${words.links({ count: links.length })}</b><br><span class="quiet">${words.paidTimes({ count: paid })} · ${roundRupees(earned)}</span></p>${make}</div>
<ul class="products">${links.map(link => product(world, visit, link))}</ul>`
}`;
}

function product(world: World, visit: Visit, link: PaymentLink): Html {
  const { counter: words } = visit.texts;
  const path = `${home}/${link.link_id}`;
  return html`<li class="product">${picture(visit, link)}<h2 class="cut"><a href="${path}"><bdi>${link.title}</bdi></a></h2><p>${words.paidTimes({ count: link.paid_pieces })} · <b>${roundRupees(link.earned_paise)}</b></p>
<p class="quiet cut">${aboutLink(visit, link)}</p><a class="tool filled" href="${whatsappHref(shareText(world, visit, link))}" target="_blank" rel="noreferrer" aria-label="${words.share} ${link.title}">${icon('share')}</a></li>`;
}

function picture({ now }: Visit, link: PaymentLink): Html {
  const face = letterFace(link.title);
  const kind = linkState(link, now) === 'open' ? '' : ' off';
  return html`<span class="picture${kind}" aria-hidden="true">${'letter' in face ? face.letter : icon('link')}</span>`;
}

function aboutLink({ texts, now }: Visit, link: PaymentLink): Html {
  const { counter: words } = texts;
  const { stock, sold, ends_at } = link;
  const now_ = linkState(link, now);
  const parts = [
    priceOf(texts, link),
    stock !== null && words.leftOf({ left: Math.max(0, stock - sold), stock }),
    ends_at !== null && now_ !== 'ended' && html`${words.ends} ${moment(later(ends_at, -1), 'date')}`,
    now_ !== 'open' && words.states[now_],
  ].filter(part => part !== false);
  return html`${parts.map((part, at) => html`${at > 0 && ' · '}${part}`)}`;
}

function priceOf({ counter: words }: Texts, { amount_paise, least_paise, most_paise }: PaymentLink): string {
  if (amount_paise !== null) return shortSum(amount_paise);
  return words.between({ least: shortSum(least_paise ?? 0), most: shortSum(most_paise ?? 0) });
}

function shareText(world: World, { texts, merchant }: Visit, link: PaymentLink): string {
  const { title, amount_paise } = link;
  const [shop, url] = [merchant.name, linkUrl(world, link)];
  return amount_paise === null
    ? texts.counter.linkText({ title, shop, url })
    : texts.counter.linkTextAt({ title, shop, url, price: shortSum(amount_paise) });
}

async function showLink(world: World, visit: Visit): Promise<Answer> {
  const { texts, merchantId, params, now } = visit;
  const words = texts.counter;
  const link = await findLink(world.sql, merchantId, params['payment_link_id']!, now);
  if (!link) return notFound();
  const [accounts, payers] = await Promise.all([
    selectAccounts(world.sql, merchantId),
    selectPaidByLink(world.sql, merchantId, link.link_id, shownPayers),
  ]);
  const url = linkUrl(world, link);
  const path = `${home}/${link.link_id}`;
  const account_kind = accounts.find(account => account.is_default)?.kind ?? 'merchant';
  // The payable amount is at least one paisa more than the price.
  const payable_paise = paise((link.amount_paise ?? link.least_paise ?? 0) + 1);
  const text = shareText(world, visit, link);
  return screen(link.title, {
    back: { href: home, text: words.places.links },
    actions: moreMenu(texts.shell.more, [
      link.paused_at === null
        ? postButton(`${path}/pause`, words.pause)
        : postButton(`${path}/resume`, words.resume),
      dangerButton(`${path}/withdraw`, words.withdraw),
    ]),
  })`
${tooMuchNote(texts, { status: 'pending', account_kind, payable_paise })}
<div class="columns even"><div class="stack"><div class="link-head">${picture(visit, link)}<div><p class="figure">${money(link.earned_paise)}</p><p class="quiet">${words.paidTimes({ count: link.paid_pieces })} · ${aboutLink(visit, link)}</p></div></div>
<div class="code"><span class="cut" id="link-address">${url}</span>${copyButton(texts, 'link-address', words.link)}</div>
${shareButtons(texts, text, url, html`<a class="button plain" href="/dashboard/poster?of=${link.link_id}">${icon('collect', true)}${texts.posters.poster}</a>`)}
<section class="card filled"><p class="quiet">${words.whatsappText}</p><p>${text}</p></section></div>
<section><div class="heading"><h2>${words.whoPaid}</h2><span class="quiet">${link.paid_pieces} · ${money(link.earned_paise)}</span></div>
${
  payers.length === 0
    ? html`<p class="quiet">${words.nobodyPaid}</p>`
    : rowList(
        payers.map(one => ({
          href: `/dashboard/orders/${one.order_id}`,
          face: letterFace(shownName(one.payer) || null),
          who: html`<bdi>${shownName(one.payer) || texts.money.unknownPayer}</bdi>`,
          when: moment(one.paid_at),
          sum: money(one.received_paise),
          state: state(texts.shell.statuses.paid, 'good'),
        })),
      )
}</section></div>`;
}

async function pause(world: World, visit: Visit, pausedAt: Date | null): Promise<Answer> {
  const { merchantId, params, texts } = visit;
  const linkId = params['payment_link_id']!;
  const resumed = { action: 'payment_link.resume' } as const;
  const made = pausedAt === null ? resumed : ({ action: 'payment_link.pause' } as const);
  const done = await makeChange(world, visit, async tx => {
    const title = await pauseLink(tx, merchantId, linkId, pausedAt);
    return title === null ? null : { ...made, subject: linkId, details: title };
  });
  const { isPaused, isResumed } = texts.counter;
  if (done) return redirect(`${home}/${linkId}`, pausedAt === null ? isResumed : isPaused);
  return (await findLink(world.sql, merchantId, linkId, visit.now))
    ? redirect(`${home}/${linkId}`)
    : notFound();
}

async function endLink(world: World, visit: Visit): Promise<Answer> {
  const { merchantId, params, now, texts } = visit;
  const linkId = params['payment_link_id']!;
  const done = await makeChange(world, visit, async tx => {
    const title = await withdrawLink(tx, merchantId, linkId, now);
    return title === null ? null : { action: 'payment_link.withdraw', subject: linkId, details: title };
  });
  return done ? redirect(home, texts.counter.withdrawn) : notFound();
}
