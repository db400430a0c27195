import type { FastifyReply, FastifyRequest } from 'fastify';
import { withDeadline } from '../../base/database/with-deadline.ts';
import { ApiError } from '../../base/http/api-error.ts';
import type { App } from '../../base/http/app.ts';
import { readForm } from '../../base/http/form.ts';
import type { Html } from '../../base/http/html.ts';
import { isSameOrigin } from '../../base/http/is-same-origin.ts';
import { networkOf } from '../../base/http/network-of.ts';
import { refusalFor } from '../../base/http/refusal-for.ts';
import { sendHtml } from '../../base/http/send-html.ts';
import { paiseFromText } from '../../base/money.ts';
import type { World } from '../../base/world.ts';
import { mayGuess } from '../../business/accounts/guesses.ts';
import { refuseByStanding } from '../../business/merchants/find-caller.ts';
import { chooseTexts, type PageFiles } from '../page/page-frame.ts';
import { renderNotFound, renderUnavailable } from '../page/page-refusals.ts';
import { showNotice } from '../page/show-notice.ts';
import { merchantOfToken } from '../pay-token.ts';
import { paymentUrl } from '../present-order.ts';
import { linkState, type ShownState } from './link-state.ts';
import { findOpened, type PaidByLink, payByLink } from './pay-by-link.ts';
import { type ShopsLink, selectLink } from './queries.ts';
import { renderLink } from './render-link.ts';
import { meetVisitor } from './visitor.ts';

type LinkRequest = FastifyRequest<{ Params: { token: string }; Querystring: Record<string, unknown> }>;
type Found = { merchantId: number; link: ShopsLink; state: ShownState };

/** Links that stay, for strangers: no key, and a cookie of an hour that brings them back to their order. Whatever they press is bounded (`pay-by-link.ts`). */
export function tillRoutes(app: App, world: World, files: PageFiles): void {
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
  // Whoever comes back opens nothing, and is not counted.
  const opened = await findOpened(world.sql, { merchantId, link, amount, visitor, now: world.clock.now() });
  if (opened) return toOrder(opened.payToken);
  if (found.state === 'halted') return [200, renderLink({ ...found, baseUrl, texts, files })];
  // Whoever shares an address with many, as phones do, has room; a machine does not.
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
    // A plan's limit or a missing account is the shop's own business: strangers hear only that it cannot be paid.
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

/** What the link leads to, or null: a withdrawn one and that of a business that is gone look like none. */
async function findOpen({ sql, clock }: World, token: string): Promise<Found | null> {
  const merchantId = merchantOfToken(token);
  if (merchantId === null) return null;
  const now = clock.now();
  const link = await withDeadline(selectLink(sql, merchantId, token, now));
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
    request.log.warn({ reqId: request.id, err: error }, 'database away');
    void reply.headers({ 'retry-after': refusal.headers['retry-after'] ?? '2' });
    return await send(503, renderUnavailable(chooseTexts(request), files));
  }
}
