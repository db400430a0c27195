import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify';
import { movedAway } from '../../base/http/api-error.ts';
import type { App } from '../../base/http/app.ts';
import { emptyForm, Form, mostFields, readForm } from '../../base/http/form.ts';
import { isSameOrigin } from '../../base/http/is-same-origin.ts';
import { refusalFor } from '../../base/http/refusal-for.ts';
import { isStorable } from '../../base/http/text.ts';
import type { World } from '../../base/world.ts';
import { mayDo, type Permission, refusedTo } from '../../business/accounts/may-do.ts';
import type { SessionRow } from '../../business/accounts/queries/sessions.ts';
import { findSession, isClosed, isConfirmed } from '../../business/accounts/session.ts';
import { chooseLanguage } from '../../texts/choose-language.ts';
import { textsIn } from '../../texts/languages.ts';
import { productName } from '../../texts/name-platform.ts';
import { type Answer, type DashboardRoute, notFound, type OpenVisit, redirect, type Visit } from './route.ts';
import {
  chosenLanguage,
  type Dashboard,
  openVisit,
  placesOf,
  refusalPage,
  sendAnswer,
} from './send-answer.ts';
import { NoLongerAllowed } from './still-allowed.ts';

/**
 * Registers one page. Its checks are, in this order: the change comes from our own page, the session is valid,
 * the role may do it, the person has confirmed recently if required, the form can be read.
 */
export function serveRoute(app: App, world: World, dashboard: Dashboard, route: DashboardRoute): void {
  app.route({
    method: route.method,
    url: route.path,
    // A HEAD for every GET would only be one more thing to protect.
    exposeHeadRoute: false,
    ...('upload' in route && uploadOptions(world, dashboard, route)),
    handler: async (request, reply) => {
      const open = openVisit(world, request);
      let signedIn: Visit | null = null;
      let answer: Answer;
      let flash: string | null = null;
      try {
        const session = route.permission === 'anyone' ? null : await findSession(world, open.cookie);
        if (session?.moved_at && !session.left_at) throw movedAway();
        signedIn = session?.stage === 'full' ? memberVisit(dashboard, { open, route, row: session }) : null;
        flash = session?.flash ?? null;
        answer = await answerTo(world, dashboard, { route, open, visit: signedIn });
      } catch (error) {
        answer = failure(error, request, reply, (signedIn ?? open).texts);
      }
      return await sendAnswer(world, dashboard, { reply, open, signedIn, answer, flash });
    },
  });
}

async function answerTo(
  world: World,
  dashboard: Dashboard,
  { route, open, visit }: { route: DashboardRoute; open: OpenVisit; visit: Visit | null },
): Promise<Answer> {
  const { request } = open;
  const { texts } = visit ?? open;
  if (route.method === 'POST' && !isSameOrigin(request, world.baseUrl))
    return refusalPage(texts, 'other_site');
  const readIt = async () => (route.method === 'POST' ? await readFormOf(route, request) : emptyForm);
  if (route.permission === 'anyone') {
    const form = await readIt();
    if (!form) return refusalPage(texts, 'bad_form');
    return await route.handle(world, { ...open, form });
  }
  if (!visit) return signInFirst(route, open);
  const refused = refusedTo(visit.user.role, route, visit.merchant.closed);
  if (refused) {
    // The app starts at Home. A person who may not open it is led to their own first place, such as the counter.
    const first = placesOf(dashboard, visit)[0];
    return route.path === '/dashboard' && first ? redirect(first.href) : refusalPage(texts, refused);
  }
  if (route.reauth && !visit.session.confirmed) return confirmFirst(route, visit);
  const form = await readIt();
  if (!form) return refusalPage(texts, 'bad_form');
  // Every id is printable ASCII. Others cannot be stored, or cannot be sent in a redirect.
  if (!Object.values(visit.params).every(id => /^[!-~]+$/.test(id))) return notFound();
  return await route.handle(world, { ...visit, form });
}

/** An upload that cannot be read counts as an empty form, as if no file was chosen. */
async function readFormOf(route: DashboardRoute, request: FastifyRequest): Promise<Form | null> {
  return 'upload' in route ? ((await readUpload(request)) ?? emptyForm) : readForm(request);
}

type Begun = { open: OpenVisit; route: DashboardRoute; row: SessionRow };

function memberVisit({ permissions }: Dashboard, { open, route, row }: Begun): Visit {
  const closed = isClosed(row);
  const may = (permission: Permission) => mayDo(row.role, permission, closed);
  return {
    ...open,
    // The operator's screens exist in one language only, and a page must not mix two.
    texts: route.path.startsWith('/dashboard/operator')
      ? textsIn('en')
      : chooseLanguage(
          row.language ?? chosenLanguage(open.query, open.request),
          open.request.headers['accept-language'],
        ),
    merchantId: row.looks_at ?? row.merchant_id,
    user: {
      merchantId: row.merchant_id,
      userId: row.user_id,
      email: row.email,
      name: row.person ?? row.email,
      role: row.role,
      language: row.language,
      hasTotp: row.has_totp,
    },
    session: {
      merchantId: row.merchant_id,
      sessionId: row.session_id,
      confirmed: isConfirmed(row, open.now),
    },
    merchant: {
      name: row.business_name ?? productName.en,
      disabledAt: row.disabled_at,
      disabledReason: row.disabled_reason ?? '',
      noNewOrders: row.no_new_orders,
      supportViewUntil: row.look_until,
      deletionRequestedAt: row.deletion_requested_at,
      leftAt: row.left_at,
      closed,
    },
    may,
    mayOpen: path => {
      const permission = permissions.get(path);
      return permission !== undefined && may(permission);
    },
  };
}

/** A requested page is shown after sign-in. A change is not repeated without the person; only its form is shown. */
function signInFirst(route: DashboardRoute, { url, request }: OpenVisit): Answer {
  const page = route.method === 'GET' ? url : refererPath(request);
  const next = page === '/dashboard' ? '' : `?next=${encodeURIComponent(page)}`;
  return { kind: 'redirect', to: `/dashboard/sign-in${next}` };
}

function confirmFirst(route: DashboardRoute, { url, request }: Visit): Answer {
  const next = route.method === 'GET' ? url : refererPath(request);
  return { kind: 'redirect', to: `/dashboard/confirm?next=${encodeURIComponent(next)}` };
}

/** The page with the form; the person fills it in again after the confirmation. */
function refererPath(request: FastifyRequest): string {
  const from = URL.parse(request.headers.referer ?? '');
  return from?.host === request.host && from.pathname.startsWith('/dashboard')
    ? from.pathname + from.search
    : '/dashboard';
}

function failure(error: unknown, request: FastifyRequest, reply: FastifyReply, texts: OpenVisit['texts']) {
  if (error instanceof NoLongerAllowed) return refusalPage(texts, 'forbidden');
  const refusal = refusalFor(error);
  void reply.headers(refusal.headers);
  if (refusal.code === 'service_unavailable') {
    request.log.warn({ reqId: request.id, err: error }, 'no answer for now');
    return refusalPage(texts, 'unavailable');
  }
  request.log.error({ reqId: request.id, err: error, url: request.routeOptions.url }, 'unexpected failure');
  return refusalPage(texts, 'broken', request.id);
}

const bytesForForm = 4 * 1024;
const mebibyte = 1024 * 1024;

type UploadRoute = { permission: Permission; method: 'GET' | 'POST'; upload?: number };

/** Checks the permission before the upload is read, so that strangers' bytes are never read. */
function uploadOptions(
  world: World,
  dashboard: Dashboard,
  { permission, method, upload: mostBytes = 0 }: UploadRoute,
) {
  const refuse = (reply: FastifyReply, open: OpenVisit, answer: Answer) =>
    sendAnswer(world, dashboard, { reply, open, signedIn: null, answer, flash: null });
  return {
    bodyLimit: mostBytes + bytesForForm,
    async onRequest(request: FastifyRequest, reply: FastifyReply) {
      const open = openVisit(world, request);
      const session = await findSession(world, open.cookie);
      if (session?.stage !== 'full') return await refuse(reply, open, redirect('/dashboard/sign-in'));
      const refused = refusedTo(session.role, { permission, method }, isClosed(session));
      return refused ? await refuse(reply, open, refusalPage(open.texts, refused)) : undefined;
    },
    async errorHandler(error: FastifyError, request: FastifyRequest, reply: FastifyReply) {
      if (error.code !== 'FST_ERR_CTP_BODY_TOO_LARGE') throw error;
      const open = openVisit(world, request);
      const most = String(mostBytes / mebibyte);
      return await refuse(reply, open, refusalPage(open.texts, 'too_large', most));
    },
  };
}

/** The boundary as browsers write it. Nothing else may follow it, so that no other parser can find a different one. */
const formType = /^multipart\/form-data\s*;\s*boundary=("?)([\w'()+,./:=?-]{1,70})\1$/i;

export async function readUpload(request: FastifyRequest): Promise<Form | null> {
  const type = request.headers['content-type'] ?? '';
  if (!/^multipart\/form-data\s*;/i.test(type)) return readForm(request);
  const boundary = formType.exec(type)?.[2];
  if (boundary === undefined || !Buffer.isBuffer(request.body) || hasManyParts(request.body, boundary))
    return null;
  const fields = new Map<string, string[]>();
  const files = new Map<string, Buffer>();
  try {
    const body = new Response(new Uint8Array(request.body), { headers: { 'content-type': type } });
    for (const [name, value] of await body.formData()) {
      if (!isStorable(name)) return null;
      if (typeof value !== 'string') files.set(name, Buffer.from(await value.arrayBuffer()));
      else if (isStorable(value)) fields.set(name, [...(fields.get(name) ?? []), value]);
      else return null;
    }
  } catch {
    return null;
  }
  return new Form(fields, files);
}

/** Counted before parsing: splitting a hundred thousand parts would block the process for seconds. */
function hasManyParts(body: Buffer, boundary: string): boolean {
  const line = Buffer.from(`--${boundary}`);
  let parts = 0;
  for (let at = body.indexOf(line); at >= 0; at = body.indexOf(line, at + line.length))
    if (++parts > mostFields) return true;
  return false;
}
