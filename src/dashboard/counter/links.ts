import { day, later } from '../../base/clock.ts';
import type { Form } from '../../base/http/form.ts';
import { type Html, html, trusted } from '../../base/http/html.ts';
import { paise } from '../../base/money.ts';
import { randomId } from '../../base/random.ts';
import { readName } from '../../base/read-name.ts';
import type { World } from '../../base/world.ts';
import {
  countLinks,
  findLink,
  insertLink,
  linkState,
  listLinks,
  lockLinks,
  mostLinks,
  mostStock,
  type PaymentLink,
  withdrawLink,
} from '../../orders/links/queries.ts';
import { newPayToken } from '../../orders/order.ts';
import { qrSvg } from '../../orders/upi-link.ts';
import type { Texts } from '../../texts/languages.ts';
import { copyable, dangerButton, plainLink, postForm, typedFields } from '../frame/controls.ts';
import { badge, card, emptyState, facts, moment, rupees, screen } from '../frame/parts.ts';
import { posterPage } from '../frame/poster-page.ts';
import { makeChange } from '../frame/record-change.ts';
import { type Answer, get, notFound, post, redirect, type Visit } from '../frame/route.ts';
import { selectAccounts } from '../upi-accounts/queries.ts';
import { readAmount, shareButtons, tooMuchNote } from './payment-page.ts';

const home = '/dashboard/links';
const mostTitle = 80;

export const linkRoutes = [
  get(home, 'links.change', linksPage),
  post(home, 'links.change', makeLink),
  get(`${home}/:payment_link_id`, 'links.change', showLink),
  get(`${home}/:payment_link_id/poster`, 'links.change', showPoster),
  post(`${home}/:payment_link_id/withdraw`, 'links.change', endLink),
];

async function linksPage(world: World, visit: Visit, fault: LinkFault | null = null): Promise<Answer> {
  const { texts, merchantId, now } = visit;
  const words = texts.counter;
  const links = await listLinks(world.sql, merchantId, now);
  return screen(texts.shell.navigation.links, { text: words.linksText, ...(fault && { status: 400 }) })`
${
  links.length === 0
    ? card(emptyState(words.noLinksTitle, words.noLinksText))
    : links.map(link =>
        card(facts(linkFacts(visit, link)), {
          title: link.title,
          actions: html`${stateBadge(visit, link)}${plainLink(`${home}/${link.link_id}`, texts.labels.open)}`,
        }),
      )
}
${card(linkForm(visit, fault), { title: words.newLink, id: 'new' })}`;
}

function linkFacts({ texts }: Visit, link: PaymentLink) {
  const words = texts.counter;
  const { amount_paise, least_paise, most_paise, stock, ends_at } = link;
  const price =
    amount_paise === null
      ? words.between({ least: rupees(least_paise ?? 0), most: rupees(most_paise ?? 0) })
      : rupees(amount_paise);
  return [
    [texts.labels.amount, price],
    [words.stock, stock !== null && words.soldOf({ sold: link.sold, stock })],
    [words.ends, ends_at && moment(ends_at)],
  ] as const;
}

function stateBadge({ texts, now }: Visit, link: PaymentLink): Html {
  const state = linkState(link, now);
  return badge(texts.counter.states[state], state === 'open' ? 'good' : 'quiet');
}

function linkForm({ texts, form }: Visit, fault: LinkFault | null): Html {
  const words = texts.counter;
  const wrong = (name: LinkFault['field']) => (fault?.field === name ? fault.text : undefined);
  const input = typedFields(form, wrong, { autocomplete: 'off' });
  const optional = (label: string) => `${label} (${texts.shell.optional})`;
  const decimal = { inputmode: 'decimal', maxlength: 12 } as const;
  const isFolded = folded.every(name => form.text(name) === '' && wrong(name) === undefined);
  return postForm(home, words.makeLink, [
    input('title', words.linkTitle, { required: true, maxlength: mostTitle }),
    input('amount', words.amount, { hint: words.amountHint, ...decimal }),
    html`<details${!isFolded && html` open`}><summary>${optional(words.moreOfLink)}</summary><div class="stack">
${input('least', words.least, decimal)}${input('most', words.most, decimal)}
${input('ends', words.endsOn, { type: 'date', hint: words.endsHint })}
${input('stock', words.stock, { inputmode: 'numeric', hint: words.stockHint({ most: mostStock }), maxlength: 5 })}
</div></details>`,
  ]);
}

/** Fields that most links leave empty. */
const folded = ['least', 'most', 'ends', 'stock'] as const;

async function makeLink(world: World, visit: Visit): Promise<Answer> {
  const { form, texts, merchantId, user, now } = visit;
  const words = texts.counter;
  const read = readLinkForm(texts, form, now);
  if ('fault' in read) return await linksPage(world, visit, read.fault);
  const title = readName(form.text('title'), mostTitle);
  if (title === null) return await linksPage(world, visit, { field: 'title', text: words.tooLong });
  const linkId = randomId('paylink');
  const made = await makeChange(world, visit, async tx => {
    await lockLinks(tx, merchantId);
    if ((await countLinks(tx, merchantId)) >= mostLinks) return null;
    await insertLink(tx, {
      ...read.link,
      merchant_id: merchantId,
      link_id: linkId,
      token: newPayToken(merchantId),
      title,
      made_by: user.email,
      created_at: now,
    });
    return { action: 'payment_link.create', subject: linkId, details: title };
  });
  if (!made)
    return await linksPage(world, visit, { field: 'title', text: words.tooManyLinks({ most: mostLinks }) });
  return redirect(`${home}/${linkId}`, words.linkMade);
}

async function showLink(world: World, visit: Visit): Promise<Answer> {
  const { texts, merchantId, params, now } = visit;
  const words = texts.counter;
  const link = await findLink(world.sql, merchantId, params['payment_link_id']!, now);
  if (!link) return notFound();
  const url = linkUrl(world, link);
  const accounts = await selectAccounts(world.sql, merchantId);
  const account_kind = accounts.find(account => account.is_default)?.kind ?? 'merchant';
  // The payable amount is at least one paisa more than the price.
  const payable_paise = paise((link.amount_paise ?? link.least_paise ?? 0) + 1);
  return screen(link.title, {
    back: { href: home, text: texts.shell.navigation.links },
    actions: stateBadge(visit, link),
  })`
${tooMuchNote(texts, { status: 'pending', account_kind, payable_paise })}
${card(html`<div class="proof-qr" role="img" aria-label="${words.qrOfLink}">${trusted(qrSvg(url))}</div>
<p>${copyable(texts, 'till-link', url, words.link)}</p>
${shareButtons(texts, link.title, url)}
${facts(linkFacts(visit, link))}
<div class="actions">${plainLink(`${home}/${link.link_id}/poster`, texts.posters.poster)}${dangerButton(`${home}/${link.link_id}/withdraw`, words.withdraw)}</div>`)}`;
}

/** A poster for the wall: a customer who scans it opens the link and pays from there. */
async function showPoster(world: World, visit: Visit): Promise<Answer> {
  const { texts, merchantId, params, now } = visit;
  const link = await findLink(world.sql, merchantId, params['payment_link_id']!, now);
  if (!link) return notFound();
  return posterPage(visit, {
    title: link.title,
    back: `${home}/${link.link_id}`,
    which: texts.posters.whichLink,
    about: html`<p><bdi>${link.title}</bdi>${link.amount_paise !== null && html` · ${rupees(link.amount_paise)}`}</p>`,
    qr: qrSvg(linkUrl(world, link)),
    qrName: texts.counter.qrOfLink,
    words: ({ posters }) =>
      html`<ol>${posters.steps.map(step => html`<li>${step}</li>`)}</ol><p>${posters.camera}</p>`,
    below: html`<bdi>${linkUrl(world, link)}</bdi>`,
  });
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

function linkUrl({ baseUrl }: Pick<World, 'baseUrl'>, { token }: PaymentLink): string {
  return `${baseUrl}/l/${token}`;
}

type LinkTerms = Pick<PaymentLink, 'amount_paise' | 'least_paise' | 'most_paise' | 'ends_at' | 'stock'>;

const leastByDefault = paise(100);
const mostByDefault = paise(100_000_00);
/** Enough for every season's sale; a link without an end never expires. */
const longestAhead = 3650 * day;
const indianDayAhead = '+05:30';

/** Reads a fixed amount, or limits for the customer's own amount, and optionally an end and a stock. */
function readLinkForm({ counter }: Texts, form: Form, now: Date): { link: LinkTerms } | { fault: LinkFault } {
  const fixed = readAmount(form);
  if (form.text('amount') !== '' && fixed === null)
    return { fault: { field: 'amount', text: counter.wrongAmount } };
  const least = form.text('least') === '' ? leastByDefault : readAmount(form, 'least');
  const most = form.text('most') === '' ? mostByDefault : readAmount(form, 'most');
  if (fixed === null && least === null) return { fault: { field: 'least', text: counter.wrongAmount } };
  if (fixed === null && (most === null || most < (least ?? 0)))
    return { fault: { field: 'most', text: counter.wrongLimits } };
  const ends = readEnd(form.text('ends'), now);
  if (ends === undefined) return { fault: { field: 'ends', text: counter.wrongEnd } };
  const stock = readStock(form.text('stock'));
  if (stock === undefined) return { fault: { field: 'stock', text: counter.stockHint({ most: mostStock }) } };
  return {
    link: {
      amount_paise: fixed,
      least_paise: fixed === null ? least : null,
      most_paise: fixed === null ? most : null,
      ends_at: ends,
      stock,
    },
  };
}

/** The end of that Indian day; undefined if it is no date, is over or is too far ahead. */
function readEnd(text: string, now: Date): Date | null | undefined {
  if (text === '') return null;
  if (!/^2\d{3}-\d{2}-\d{2}$/.test(text)) return undefined;
  const end = later(new Date(`${text}T00:00:00${indianDayAhead}`), 1 * day);
  const isGood = !Number.isNaN(end.getTime()) && end > now && end < later(now, longestAhead);
  return isGood ? end : undefined;
}

function readStock(text: string): number | null | undefined {
  if (text === '') return null;
  const count = /^\d{1,5}$/.test(text) ? Number(text) : 0;
  return count >= 1 && count <= mostStock ? count : undefined;
}

type LinkFault = { field: 'title' | 'amount' | 'least' | 'most' | 'ends' | 'stock'; text: string };
