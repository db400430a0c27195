import { setTimeout as pause } from 'node:timers/promises';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { BoundedMap } from '../../base/bounded-map.ts';
import { second } from '../../base/clock.ts';
import { withDeadline } from '../../base/database/with-deadline.ts';
import { answerFirst } from '../../base/http/answer-first.ts';
import { ApiError } from '../../base/http/api-error.ts';
import type { App } from '../../base/http/app.ts';
import { type Asset, sendAsset } from '../../base/http/asset.ts';
import { readForm } from '../../base/http/form.ts';
import type { Html } from '../../base/http/html.ts';
import { networkOf } from '../../base/http/network-of.ts';
import { refusalFor } from '../../base/http/refusal-for.ts';
import { sendHtml } from '../../base/http/send-html.ts';
import { serveFiles } from '../../base/http/serve-files.ts';
import { readReference } from '../../base/read-reference.ts';
import type { World } from '../../base/world.ts';
import { mayGuess } from '../../business/accounts/guesses.ts';
import { refuseByStanding } from '../../business/merchants/find-caller.ts';
import { linkOf, merchantOfToken, paymentUrl } from '../order.ts';
import type { OrderNews } from '../order-news.ts';
import { showIntent } from '../queries.ts';
import { qrPng } from '../upi-link.ts';
import { isInsideApp, phoneOf } from './app-links.ts';
import type { BrowserFiles } from './build-browser.ts';
import { openPublicStatus, type ReadPublicStatus } from './open-public-status.ts';
import { openStreams } from './open-streams.ts';
import {
  chooseTexts,
  type PageFiles,
  type PageTexts,
  type ReferenceForm,
  renderNotFound,
  renderUnavailable,
} from './page-frame.ts';
import { noteSeen, type PageOrder, selectPageOrder } from './queries.ts';
import { renderPage } from './render-page.ts';
import { reportRoutes } from './report-routes.ts';
import { serveShopBrand } from './shop-brand.ts';
import { showNotice } from './show-notice.ts';

/** `payments/review/enter-reference.ts` */
type TakeReference = (
  world: CheckoutWorld,
  claim: { merchantId: number; orderId: string; reference: string; now: Date },
) => Promise<void>;

export type Checkout = {
  files: BrowserFiles;
  isBlind: IsBlind;
  claim: TakeReference;
  /** Change notifications, if available. With them, answers stay in memory and open pages are notified. */
  news?: OrderNews;
  /** Further HTML at the foot of the hosted page, with its own script of this origin: the sandbox's bar. */
  extra?: (order: PageOrder) => Html;
};

type CheckoutWorld = Pick<World, 'sql' | 'clock' | 'log' | 'baseUrl' | 'config' | 'cells' | 'cell'>;
type PayRequest = FastifyRequest<{ Params: { token: string }; Querystring: Record<string, unknown> }>;

const statusPath = /^\/pay\/([\w-]+)\/status$/;
/** The length of a text without a reference that the page shows again. */
const longestShownAgain = 500;
/** No cache may keep an answer about an order's status. */
const unkept = { 'cache-control': 'no-store' };
const forADay = 'public, max-age=86400';
const fiveMinutes = 'public, max-age=300';

/** §4.4: the hosted page, the public status, and the widget. None of them takes a key or sets a cookie. */
export function checkoutRoutes(
  app: App,
  world: CheckoutWorld,
  { files, isBlind, claim, news, extra }: Checkout,
): PageFiles {
  const publicStatus = openPublicStatus(world, news);
  const blindness = rememberBlindness(isBlind, world);
  const addresses = { ...serveFiles(app, '/checkout', 'page', files), operator: world.config.operator };
  serveShopBrand(app, world);
  reportRoutes(app, world, addresses);

  app.get('/pay/:token/status', async (request: PayRequest, reply) => {
    void reply.headers(unkept);
    const status = await publicStatus(request.params.token);
    if (!status) throw new ApiError('order_not_found');
    return status;
  });
  // A widget asks this once before it shows how to pay: the hosted page's warning, and no status.
  app.get('/pay/:token/payable', async (request: PayRequest, reply) => {
    void reply.headers(unkept);
    const { token } = request.params;
    const [status, merchantId] = [await publicStatus(token), merchantOfToken(token)];
    if (!status || merchantId === null) throw new ApiError('order_not_found');
    await withDeadline(noteSeen(world.sql, merchantId, token, world.clock.now()));
    return { payable: status.payable !== false, confirmation_slow: await blindness(merchantId) };
  });
  answerFirst(app, world, path => publicStatus.known(statusPath.exec(path)?.[1] ?? ''), unkept);
  streamNews(app, publicStatus, news ?? null);

  /** A page about the order of this address, or the reason why there is none. */
  const answer = async (
    request: PayRequest,
    reply: FastifyReply,
    status: number,
    make: (order: PageOrder, texts: PageTexts) => Promise<Html>,
  ) => {
    let texts = chooseTexts(request);
    const send = (code: number, page: Html) =>
      sendHtml(request, reply, code, page, { forms: true, vary: 'Accept-Language, User-Agent' });
    try {
      const order = await readOrder(world, request.params.token);
      if (!order) return await send(404, renderNotFound(texts, addresses));
      texts = chooseTexts(request, order.languages);
      return await send(status, await make(order, texts));
    } catch (error) {
      const refusal = refusalFor(error);
      if (refusal.code !== 'service_unavailable') throw error;
      request.log.warn({ reqId: request.id, err: error }, 'database unreachable');
      // For people: a page that tries again by itself, with or without script.
      const wait = refusal.headers['retry-after'] ?? '2';
      void reply.headers({ 'retry-after': wait, refresh: wait });
      return await send(503, renderUnavailable(texts, addresses));
    }
  };

  const show = (request: PayRequest, reply: FastifyReply, status: number, claim: ReferenceForm | null) =>
    answer(request, reply, status, async (order, texts) => {
      if (order.is_unseen)
        await withDeadline(noteSeen(world.sql, order.merchant_id, order.pay_token, world.clock.now()));
      return renderPage({
        order,
        now: world.clock.now(),
        texts,
        phone: phoneOf(request.headers['user-agent']),
        insideApp: isInsideApp(request.headers['user-agent']),
        paymentUrl: paymentUrl(world.baseUrl, order.pay_token),
        stays: claim !== null || request.query['stay'] === '1',
        claim,
        appMissing: request.query['app'] === 'missing',
        blind: await blindness(order.merchant_id),
        files: addresses,
        extra: extra?.(order) ?? null,
      });
    });

  app.get('/pay/:token/privacy', (request: PayRequest, reply) =>
    answer(request, reply, 200, ({ merchant_id: merchantId, pay_token: token }, texts) =>
      showNotice(world, { merchantId, texts, files: addresses, back: `/pay/${token}` }),
    ),
  );

  app.get('/pay/:token', (request: PayRequest, reply) => {
    const asked = request.query['claim'];
    return show(request, reply, 200, asked === 'open' || asked === 'sent' ? asked : null);
  });

  app.get('/pay/:token/qr.png', async (request: PayRequest, reply) =>
    sendQr(reply, await readOrder(world, request.params.token)),
  );

  // A tap on an app, or "I have paid". The script of the page or the widget sends it from any site. It pays nothing.
  app.post('/pay/:token/intent', async (request: PayRequest, reply) => {
    const { token } = request.params;
    const merchantId = merchantOfToken(token);
    if (merchantId !== null) await showIntent(world.sql, { merchantId, token, now: world.clock.now() });
    return reply.code(204).send();
  });

  // "I have paid." Holding the link suffices, because this pays nothing.
  app.post('/pay/:token', async (request: PayRequest, reply) => {
    const text = readForm(request)?.text('reference') ?? '';
    const reference = readReference(text);
    if (reference === null)
      return await show(request, reply, 400, { unclear: text.slice(0, longestShownAgain) });
    const order = await readOrder(world, request.params.token);
    if (!order) throw new ApiError('order_not_found');
    const { merchant_id: merchantId, order_id: orderId } = order;
    await takeClaim(world, claim, { merchantId, orderId, reference, address: request.ip });
    const { tag } = chooseTexts(request, order.languages);
    return reply.redirect(`?lang=${tag}&claim=sent#claim`, 303);
  });

  // A shop's code or a chat app may end the link with a slash. The customer still gets their page, with the query.
  app.get('/pay/:token/', (request: PayRequest, reply) =>
    reply.redirect(
      `../${encodeURIComponent(request.params.token)}${URL.parse(request.url, world.baseUrl)?.search ?? ''}`,
      308,
    ),
  );

  // Browsers ask for this icon if a page names none: a page of JSON, or a proxy's error page.
  app.get('/favicon.ico', (request, reply) => sendAsset(request, reply, files.icon, forADay));
  for (const path of ['/embed/milaan.js', '/widget.js']) {
    app.get(path, (request, reply) => sendEverywhere(request, reply, files.widget));
  }
  app.get('/embed/milaan.d.ts', (request, reply) => sendEverywhere(request, reply, files.widgetTypes));
  for (const [tag, said] of files.widgetTexts)
    app.get(`/embed/texts.${tag}.json`, (request, reply) => sendEverywhere(request, reply, said));
  return addresses;
}

/** Server-sent events in addition to polling. 204: nothing to wait for, or too many streams. */
function streamNews(app: App, publicStatus: ReadPublicStatus, news: OrderNews | null): void {
  const streams = news && openStreams(news);
  app.addHook('preClose', async () => streams?.close());
  app.get('/pay/:token/events', async (request: PayRequest, reply) => {
    const { token } = request.params;
    void reply.headers(unkept);
    const before = await publicStatus(token);
    if (!before) throw new ApiError('order_not_found');
    if (!streams || before.status === 'paid' || before.status === 'failed') return reply.code(204).send();
    for (const [name, value] of Object.entries(reply.getHeaders())) reply.raw.setHeader(name, value!);
    if (!streams.open(token, networkOf(request.ip), reply.raw)) return reply.code(204).send();
    reply.hijack();
    // The status may have changed between the first look and the start of the stream.
    if ((await publicStatus(token))?.status !== before.status) streams.notify(token);
    return reply;
  });
}

async function readOrder({ sql, clock }: CheckoutWorld, token: string): Promise<PageOrder | null> {
  const merchantId = merchantOfToken(token);
  if (merchantId === null) return null;
  const [order] = await withDeadline(selectPageOrder(sql, merchantId, token, clock.now()));
  if (order) refuseByStanding(order);
  return order ?? null;
}

/** A shop's page loads these from its own origin, perhaps with `crossorigin` or under a strict embedder policy. */
function sendEverywhere(request: FastifyRequest, reply: FastifyReply, asset: Asset): Promise<FastifyReply> {
  reply.headers({ 'access-control-allow-origin': '*', 'cross-origin-resource-policy': 'cross-origin' });
  return sendAsset(request, reply, asset, fiveMinutes);
}

/** The QR as a picture, for as long as the page shows it. Nobody must pay an order that is over. */
function sendQr(reply: FastifyReply, order: PageOrder | null): FastifyReply {
  if (order?.status !== 'pending' || !order.confirmable) throw new ApiError('order_not_found');
  return reply
    .headers({ 'content-type': 'image/png', 'cache-control': 'no-store' })
    .send(qrPng(linkOf(order)));
}

type GivenReference = { merchantId: number; orderId: string; reference: string; address: string };

/** Longer than finding a reference and attaching its payment take, so that the answer's time reveals nothing. */
const leastTime = 0.5 * second;

/**
 * Stores the reference of a payment that a customer says they made. A stranger may send the form, so tries are limited
 * by address here, and by order in `enterReference`. Whatever the result, the answer and its time are the same.
 */
async function takeClaim(
  world: CheckoutWorld,
  enterReference: TakeReference,
  { address, ...claim }: GivenReference,
): Promise<void> {
  await Promise.all([keep(), pause(leastTime)]);

  async function keep(): Promise<void> {
    if (!(await mayGuess(world, [{ kind: 'claim', whom: networkOf(address) }]))) return;
    await enterReference(world, { ...claim, now: world.clock.now() });
  }
}

/** Whether the mailbox that would confirm this merchant's payments is known to be unreachable. */
type IsBlind = (merchantId: number) => Promise<boolean>;

const keptFor = 5 * second;
const keptLimit = 10_000;
/** The banner is a courtesy, so the page must not wait long for it, or fail with it. */
const patience = 0.5 * second;

/** Asks once in a few seconds for a merchant at most, however many customers are paying. */
function rememberBlindness(isBlind: IsBlind, { clock, log }: Pick<World, 'clock' | 'log'>): IsBlind {
  const kept = new BoundedMap<number, { blind: Promise<boolean>; until: number }>(keptLimit);
  return merchantId => {
    const now = clock.now().getTime();
    const known = kept.get(merchantId);
    const left = known ? known.until - now : 0;
    // Without the second bound, a clock that was set ahead and back would keep an old answer for as long.
    if (known && left > 0 && left <= keptFor) return known.blind;
    const blind = withDeadline(isBlind(merchantId), patience).catch((error: unknown) => {
      log.warn({ err: error }, 'the state of the mailbox is not known');
      return false;
    });
    kept.set(merchantId, { blind, until: now + keptFor });
    return blind;
  };
}
