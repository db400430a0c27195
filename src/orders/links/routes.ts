import { createHash, randomBytes } from 'node:crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { hour, second } from '../../base/clock.ts';
import { withDeadline } from '../../base/database/with-deadline.ts';
import { ApiError } from '../../base/http/api-error.ts';
import type { App } from '../../base/http/app.ts';
import { readForm } from '../../base/http/form.ts';
import { type Html, html } from '../../base/http/html.ts';
import { isSameOrigin } from '../../base/http/is-same-origin.ts';
import { networkOf, wideNetworkOf } from '../../base/http/network-of.ts';
import { readCookie } from '../../base/http/read-cookie.ts';
import { refusalFor } from '../../base/http/refusal-for.ts';
import { sendHtml } from '../../base/http/send-html.ts';
import {
  mostOffset,
  mostUsualOffset,
  type Paise,
  paise,
  paiseFromText,
  rupeesText,
} from '../../base/money.ts';
import type { World } from '../../base/world.ts';
import { mayGuess } from '../../business/accounts/guesses.ts';
import { refuseByStanding } from '../../business/merchants/find-caller.ts';
import { customerTexts } from '../../texts/customer-texts.ts';
import { insertFacts } from '../../texts/insert-facts.ts';
import { merchantOfToken, paymentUrl } from '../order.ts';
import { formatAmount } from '../page/format-amount.ts';
import {
  chooseTexts,
  frame,
  type PageFiles,
  type PageTexts,
  renderNotFound,
  renderUnavailable,
} from '../page/page-frame.ts';
import { shopName } from '../page/shop-brand.ts';
import { showNotice } from '../page/show-notice.ts';
import { findOpened, type PaidByLink, payByLink } from './pay-by-link.ts';
import { linkState, type ShopsLink, type ShownState, selectLink, type Visitor } from './queries.ts';

type LinkRequest = FastifyRequest<{ Params: { token: string }; Querystring: Record<string, unknown> }>;
type Found = { merchantId: number; link: ShopsLink; state: ShownState };

/** Payment links for strangers: no key, only an hour's cookie that leads back to the order. */
export function counterRoutes(app: App, world: World, files: PageFiles): void {
  app.get('/l/:token', (request: LinkRequest, reply) =>
    answer(request, reply, files, async () => {
      const found = await findOpen(world, request.params.token);
      const texts = chooseTexts(request, found?.link.languages);
      if (found) meetVisitor(world, request, reply);
      return found
        ? [200, renderLink({ ...found, baseUrl: world.baseUrl, texts, files })]
        : [404, renderNotFound(texts, files)];
    }),
  );
  app.get('/l/:token/privacy', (request: LinkRequest, reply) =>
    answer(request, reply, files, async () => {
      const found = await findOpen(world, request.params.token);
      const texts = chooseTexts(request, found?.link.languages);
      if (!found) return [404, renderNotFound(texts, files)];
      const back = `/l/${request.params.token}`;
      return [200, await showNotice(world, { merchantId: found.merchantId, texts, files, back })];
    }),
  );
  app.post('/l/:token', (request: LinkRequest, reply) =>
    answer(request, reply, files, async () => await press(world, files, request, reply)),
  );
}

type Shown = readonly [status: number, page: Html];

async function press(
  world: World,
  files: PageFiles,
  request: LinkRequest,
  reply: FastifyReply,
): Promise<Shown | null> {
  const found = await findOpen(world, request.params.token);
  const texts = chooseTexts(request, found?.link.languages);
  if (!found) return [404, renderNotFound(texts, files)];
  const { baseUrl } = world;
  const form = isSameOrigin(request, baseUrl) ? readForm(request) : null;
  const typed = form?.text('amount') ?? '';
  const again = (status: number, problem: string): Shown => [
    status,
    renderLink({ ...found, baseUrl, texts, files, problem, typed }),
  ];
  if (!form) return again(403, texts.link.otherSite);
  const { merchantId, link } = found;
  const typedAmount = paiseFromText(typed);
  const visitor = meetVisitor(world, request, reply);
  const toOrder = (payToken: string) => {
    void reply.code(303).header('location', paymentUrl(baseUrl, payToken) + languageOf(request));
    return null;
  };
  const amount = link.amount_paise ?? typedAmount;
  // A customer who comes back opens nothing new and is not counted.
  const opened = await findOpened(world.sql, { merchantId, link, amount, visitor, now: world.clock.now() });
  if (opened) return toOrder(opened.payToken);
  if (found.state === 'halted') return [200, renderLink({ ...found, baseUrl, texts, files })];
  // Phones share an address with many others, so the limit leaves enough for them but not for a machine.
  const network = networkOf(request.ip);
  const guesses = [
    { kind: 'links', whom: network },
    { kind: 'link', whom: `${network} ${link.link_id}` },
  ] as const;
  if (!(await mayGuess(world, guesses))) return again(429, texts.link.busy);
  let paid: PaidByLink;
  try {
    paid = await world.sql.begin(tx =>
      payByLink(tx, world, { merchantId, token: request.params.token, typedAmount, visitor }),
    );
  } catch (error) {
    // A plan's limit or a missing account is the shop's own business. Strangers learn only that they cannot pay.
    if (error instanceof ApiError && error.code !== 'service_unavailable') return again(503, texts.link.busy);
    throw error;
  }
  switch (paid.outcome) {
    case 'order':
      return toOrder(paid.payToken);
    case 'wrong_amount':
      return again(400, texts.link.wrongAmount);
    case 'busy':
      return again(503, texts.link.busy);
    case 'crowded':
      return again(429, texts.link.crowded);
    case 'unknown':
    case 'withdrawn':
      return [404, renderNotFound(texts, files)];
    default:
      return [200, renderLink({ ...found, baseUrl, state: paid.outcome, texts, files })];
  }
}

/** The link's shop and state. Null for an unknown link, a withdrawn one and a deleted business alike. */
async function findOpen({ sql, clock }: World, token: string): Promise<Found | null> {
  const merchantId = merchantOfToken(token);
  if (merchantId === null) return null;
  const now = clock.now();
  const [link] = await withDeadline(selectLink(sql, merchantId, token, now));
  if (!link || link.closed) return null;
  if (link.refusal === 'service_unavailable') refuseByStanding(link);
  const state = linkState(link, now);
  return state === 'withdrawn' ? null : { merchantId, link, state: link.halted ? 'halted' : state };
}

function languageOf(request: LinkRequest): string {
  const lang = request.query['lang'];
  return typeof lang === 'string' && /^[a-z]{2}$/.test(lang) ? `?lang=${lang}` : '';
}

async function answer(
  request: LinkRequest,
  reply: FastifyReply,
  files: PageFiles,
  make: () => Promise<Shown | null>,
): Promise<FastifyReply> {
  const send = (status: number, page: Html) =>
    sendHtml(request, reply, status, page, { forms: true, vary: 'Accept-Language' });
  try {
    const shown = await make();
    return shown ? await send(...shown) : reply.send();
  } catch (error) {
    const refusal = refusalFor(error);
    if (refusal.code !== 'service_unavailable') throw error;
    request.log.warn({ reqId: request.id, err: error }, 'database unreachable');
    void reply.headers({ 'retry-after': refusal.headers['retry-after'] ?? '2' });
    return await send(503, renderUnavailable(chooseTexts(request), files));
  }
}

type LinkView = {
  link: ShopsLink;
  baseUrl: string;
  state: ShownState;
  texts: PageTexts;
  files: PageFiles;
  problem?: string;
  /** The amount as typed, so that the customer can correct it. */
  typed?: string;
};

/** Looks like the payment page and works without script: a form with one button. */
function renderLink(view: LinkView): Html {
  const { link, state, texts, files, baseUrl } = view;
  const { ended, soldOut, lastHeld, paused } = texts.link;
  const { shopCannot } = customerTexts(texts.tag).widget;
  const body = html`
<main><section class="card ask">
${shopName(link, texts.paying)}
<p class="what"><bdi>${link.title}</bdi></p>
${state === 'open' ? form(view) : html`<p class="note" role="status">${{ sold_out: soldOut, held: lastHeld, paused, halted: shopCannot, ended, withdrawn: ended }[state]}</p>`}
</section></main>`;
  const title = `${link.title} · ${link.shop}`;
  const amount = link.amount_paise === null ? null : formatAmount(link.amount_paise).text;
  const shared =
    amount === null || state !== 'open'
      ? title
      : `${insertFacts(texts.title, { amount, shop: link.shop })} · ${link.title}`;
  const shop = { brand: link, title: shared, about: texts.safety, baseUrl };
  const notice = `/l/${link.token}/privacy`;
  return frame({ texts, files, title, body, refresh: null, script: false, notice, shop });
}

function form({ link, texts, problem, typed = '' }: LinkView): Html {
  const words = texts.link;
  const { amount_paise, least_paise, most_paise } = link;
  return html`<form method="post">
${problem !== undefined && html`<p class="note" id="problem" role="alert">${problem}</p>`}
${
  amount_paise === null && least_paise !== null && most_paise !== null
    ? html`<label for="amount">${words.amount}</label>
<div class="rupees"><span aria-hidden="true">₹</span><input id="amount" name="amount" inputmode="decimal" autocomplete="off" required value="${typed}" maxlength="12" aria-describedby="limits${problem === undefined ? '' : ' problem'}"${problem !== undefined && html` aria-invalid="true" autofocus`}></div>
<p class="quiet" id="limits">${insertFacts(words.limits, { least: shown(least_paise), most: shown(most_paise) })}</p>`
    : amount_paise !== null && html`<p class="price">${formatAmount(amount_paise).text}</p>`
}
<button class="go">${words.pay}</button>
<p class="quiet">${insertFacts(words.paise, { most: formatAmount(paise(link.cap_added ? mostUsualOffset : mostOffset)).text })}</p>
</form>`;
}

function shown(value: Paise): string {
  return value % 100 === 0 ? `₹${formatAmount(value).rupees}` : `₹${rupeesText(value)}`;
}

const cookieName = 'milaan-visitor';
/** Longer than any order of a link is open, and no longer than needed for that. */
const cookieSeconds = (1 * hour) / second;
const cookieForm = /^[A-Za-z0-9_-]{22}$/;

/** Gives a browser a cookie for links only, so that the customer gets back to the order they opened. */
function meetVisitor(
  { secrets, baseUrl }: Pick<World, 'secrets' | 'baseUrl'>,
  request: FastifyRequest,
  reply: FastifyReply,
): Visitor {
  const sent = readCookie(request.headers.cookie, cookieName);
  const known = sent !== null && cookieForm.test(sent) ? sent : null;
  if (known === null) {
    const secure = baseUrl.startsWith('https:') ? '; Secure' : '';
    const value = randomBytes(16).toString('base64url');
    void reply.header(
      'set-cookie',
      `${cookieName}=${value}; Path=/l; Max-Age=${cookieSeconds}; HttpOnly; SameSite=Lax${secure}`,
    );
  }
  const hashed = (network: string) => secrets.sign('link network', network);
  const wide = wideNetworkOf(request.ip);
  return {
    browser: known === null ? null : createHash('sha256').update(known).digest(),
    network: hashed(networkOf(request.ip)),
    wideNetwork: wide === null ? null : hashed(wide),
  };
}
