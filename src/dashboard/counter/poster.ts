import { type Html, html, trusted } from '../../base/http/html.ts';
import type { World } from '../../base/world.ts';
import { listLinks, type PaymentLink } from '../../orders/links/queries.ts';
import { qrSvg, upiAccountLink } from '../../orders/upi-link.ts';
import { languages, type Texts } from '../../texts/languages.ts';
import { fold, segments } from '../frame/choosing.ts';
import { icon } from '../frame/icon.ts';
import { emptyState, rupees, screen } from '../frame/parts.ts';
import { type Answer, get, notFound, type Visit } from '../frame/route.ts';
import { rowList } from '../frame/rows.ts';
import { type AccountRow, selectAccounts } from '../upi-accounts/queries.ts';
import { announceQuestion, findUnasked } from './announce.ts';
import { collectTabs } from './counter.ts';
import { linkUrl } from './payment-page.ts';

const home = '/dashboard/poster';

export const posterRoutes = [get(home, 'business.read', showPoster)];

const copies = { a4: 1, a5: 1, stickers: 4, tent: 2 } as const;
type Size = keyof typeof copies;
const sizes = Object.keys(copies) as Size[];

type Poster = {
  id: string;
  name: string;
  /** When to print this poster and not the other kind. */
  which: (texts: Texts) => string;
  about: Html | null;
  qr: string;
  qrName: (texts: Texts) => string;
  /** The customer's instructions in one language; every language is printed. */
  words: (texts: Texts) => Html;
  below: Html;
};

/** A sheet to print for one UPI ID or one link, in a chosen size, with the shop's name, a QR code and instructions. */
async function showPoster(world: World, visit: Visit): Promise<Answer> {
  const { texts, query, merchantId, now, may } = visit;
  const { posters, counter } = texts;
  const [accounts, links, unasked] = await Promise.all([
    selectAccounts(world.sql, merchantId),
    may('links.change') ? listLinks(world.sql, merchantId, now) : [],
    findUnasked(world.sql, merchantId),
  ]);
  const first = accounts.toSorted((a, b) => Number(b.is_default) - Number(a.is_default));
  const all = [...first.map(accountPoster), ...links.map(link => linkPoster(world, link))];
  const asked = query.text('of');
  const poster = asked === '' ? all[0] : all.find(({ id }) => id === asked);
  const body = (inside: Html) => screen(counter.places.poster, { quietOnPhone: true })`
${collectTabs(visit, 'poster')}${inside}`;
  if (!poster)
    return asked === ''
      ? body(emptyState(posters.noneTitle, posters.noneText, undefined, 'collect'))
      : notFound();
  const size = sizes.find(one => one === query.text('size')) ?? 'a4';
  const isOfAccount = first.some(({ account_id }) => account_id === poster.id);
  const here = (change: { of?: string; size?: Size }) =>
    `${home}?${new URLSearchParams({ of: poster.id, size, ...change })}`;
  const tabs = sizes.map(to => ({ href: here({ size: to }), text: posters.sizes[to], current: to === size }));
  return body(html`<div class="columns near"><div class="card filled preview"><div class="sheet ${size}">${Array.from({ length: copies[size] }, (_, at) => copy(visit, poster, at))}</div></div>
<div class="stack near no-print">${segments(posters.size, tabs)}
<p class="quiet">${posters.hints[size]}</p>
<button type="button" class="button wide" data-print hidden>${icon('print', true)}${posters.print}</button>
<p class="quiet">${poster.which(texts)}</p>
${isOfAccount && announceQuestion(visit, unasked, here({}))}
${all.length > 1 && fold(posters.others, rowList(all.filter(one => one !== poster).map(({ id, name }) => ({ href: here({ of: id }), who: html`<bdi>${name}</bdi>` }))))}</div></div>`);
}

function copy({ merchant, texts }: Visit, poster: Poster, at: number): Html {
  return html`<div class="poster"${at > 0 && html` aria-hidden="true"`}>
<div class="poster-head"><p class="poster-shop"><bdi>${merchant.name}</bdi></p>${poster.about}</div>
<div class="poster-qr" role="img" aria-label="${poster.qrName(texts)}">${trusted(poster.qr)}</div>
<div class="poster-words">${languages.map(language => html`<div lang="${language.tag}">${poster.words(language)}</div>`)}</div>
<p class="poster-below">${poster.below}</p></div>`;
}

/** The account's own QR code: any UPI app scans it, and the customer types the amount. */
function accountPoster({ account_id, vpa, payee_name, kind, merchant_code }: AccountRow): Poster {
  return {
    id: account_id,
    name: vpa,
    which: ({ posters }) => posters.whichAccount,
    about: null,
    qr: qrSvg(upiAccountLink({ vpa, payeeName: payee_name, kind, merchantCode: merchant_code })),
    qrName: ({ posters }) => posters.ofAccount,
    words: ({ posters }) => html`<p><strong>${posters.scan}</strong></p><p>${posters.anyApp}</p>`,
    below: html`<strong><bdi>${vpa}</bdi></strong><br><bdi>${payee_name}</bdi>`,
  };
}

function linkPoster(world: World, link: PaymentLink): Poster {
  const url = linkUrl(world, link);
  return {
    id: link.link_id,
    name: link.title,
    which: ({ posters }) => posters.whichLink,
    about: html`<p><bdi>${link.title}</bdi>${link.amount_paise !== null && html` · ${rupees(link.amount_paise)}`}</p>`,
    qr: qrSvg(url),
    qrName: ({ counter }) => counter.qrOfLink,
    words: ({ posters }) =>
      html`<ol>${posters.steps.map(step => html`<li>${step}</li>`)}</ol><p>${posters.camera}</p>`,
    below: html`<bdi>${url}</bdi>`,
  };
}
