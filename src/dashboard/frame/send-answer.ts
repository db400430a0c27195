import { pipeline, Readable } from 'node:stream';
import { createGzip } from 'node:zlib';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { listeningState } from '../../alerts/forwarding/forwarding-state.ts';
import { encodingFor } from '../../base/http/asset.ts';
import { emptyForm, parseForm, readForm } from '../../base/http/form.ts';
import { html } from '../../base/http/html.ts';
import { sendHtml } from '../../base/http/send-html.ts';
import { storable } from '../../base/http/text.ts';
import type { World } from '../../base/world.ts';
import type { Permission } from '../../business/accounts/may-do.ts';
import { deleteSessionOf, writeFlash } from '../../business/accounts/queries/sessions.ts';
import { readToken } from '../../business/accounts/tokens.ts';
import { chooseLanguage } from '../../texts/choose-language.ts';
import type { Texts } from '../../texts/languages.ts';
import { linkButton } from './controls.ts';
import {
  type FileAddresses,
  type MenuItem,
  type Message,
  memberLayout,
  openLayout,
  type Place,
} from './layout.ts';
import { emptyState } from './parts.ts';
import { type Answer, nextPath, type OpenVisit, type Visit } from './route.ts';
import {
  readLanguageCookie,
  readSessionCookie,
  writeLanguageCookie,
  writeSessionCookie,
} from './session-cookie.ts';

type Sending = {
  reply: FastifyReply;
  open: OpenVisit;
  signedIn: Visit | null;
  answer: Answer;
  flash: string | null;
};

/** Sends an answer. Nothing from the dashboard may be cached on the way. */
export async function sendAnswer(
  world: World,
  dashboard: Dashboard,
  { reply, open, signedIn, answer, flash }: Sending,
): Promise<FastifyReply> {
  const { request } = open;
  void reply.header('cache-control', 'no-store');
  switch (answer.kind) {
    case 'redirect':
      return await sendRedirect(world, reply, { open, signedIn }, answer);
    case 'json':
      return reply.code(answer.status ?? 200).send(answer.value);
    case 'download':
      return sendDownload(request, reply, answer);
    case 'fragment':
      return await sendHtml(request, reply, 200, answer.body, { vary: 'Cookie' });
    default:
      return await sendPage(world, dashboard, { reply, open, signedIn, flash }, answer);
  }
}

async function sendPage(
  world: World,
  dashboard: Dashboard,
  { reply, open, signedIn, flash }: Omit<Sending, 'answer'>,
  answer: Answer & { kind: 'page' | 'not_found' },
): Promise<FastifyReply> {
  const { request } = open;
  const { files } = dashboard;
  const { operator } = world.config;
  const { texts } = signedIn ?? open;
  const page = answer.kind === 'not_found' ? refusalPage(texts, 'not_found') : answer;
  const { status = 200, formTo } = page;
  const vary = 'Cookie, Accept-Language';
  const options = { forms: true, app: true, vary, ...(formTo !== undefined && { formTo }) };
  if (!signedIn) {
    const { tag } = texts;
    if (open.query.text('lang') === tag)
      void reply.header('set-cookie', writeLanguageCookie(tag, world.baseUrl));
    const form = readForm(request);
    const next = nextPath(form?.has('next') ? form : open.query, '');
    return await sendHtml(
      request,
      reply,
      status,
      openLayout({ files, operator, texts, page, now: open.now }, next),
      options,
    );
  }
  if (flash !== null) await writeFlash(world.sql, signedIn.session, null);
  const [items, listening] = await Promise.all([
    menuOf(world, dashboard, signedIn),
    signedIn.may('business.read')
      ? listeningState(world.sql, signedIn.merchantId, signedIn.now).catch(() => null)
      : null,
  ]);
  const message = page.flash === undefined ? flash && readMessage(flash, open.now) : { text: page.flash };
  const around = { items, listening, message: message || null };
  const layout = memberLayout({ files, operator, texts, page, now: open.now }, signedIn, around);
  return await sendHtml(request, reply, status, layout, options);
}

/** Begins a stored message that can be undone. No text that a person typed may pass for one. */
const undoMark = '\u0001';

function writeMessage({ flash = '', undo }: Answer & { kind: 'redirect' }): string {
  const text = flash.replaceAll(undoMark, '');
  return undo ? undoMark + JSON.stringify({ text, undo }) : text;
}

function readMessage(stored: string, now: Date): Message {
  if (!stored.startsWith(undoMark)) return { text: stored };
  const { text, undo } = JSON.parse(stored.slice(undoMark.length));
  return new Date(undo.until) > now
    ? { text, undo: { action: undo.action, values: undo.values ?? {} } }
    : { text };
}

/** A stream may be long, so it is compressed if the browser accepts that. */
function sendDownload(
  request: FastifyRequest,
  reply: FastifyReply,
  { name, type, content }: Answer & { kind: 'download' },
): FastifyReply {
  void reply.headers({
    'content-type': type,
    'content-disposition': `attachment; filename="${name.replaceAll(/[^\w.-]/g, '_')}"`,
  });
  if (!(content instanceof Readable)) return reply.send(content);
  void reply.header('vary', 'Accept-Encoding, Cookie');
  if (type === 'application/gzip' || !encodingFor(request.headers['accept-encoding']))
    return reply.send(content);
  // If the source fails, the connection is cut: a file that ends early must not look complete.
  return reply.header('content-encoding', 'gzip').send(pipeline(content, createGzip(), () => {}));
}

/** The person's places. If a count fails, the page is shown without it. */
async function menuOf(world: World, dashboard: Dashboard, visit: Visit): Promise<MenuItem[]> {
  return await Promise.all(
    placesOf(dashboard, visit).map(async ({ waiting, pages, covers = [], href, text, icon }) => ({
      text,
      icon,
      href,
      covers: [...pages, ...covers],
      count: (await waiting?.(world, visit).catch(() => 0)) ?? 0,
    })),
  );
}

export function placesOf({ places }: Dashboard, { may, mayOpen }: Visit) {
  return places.flatMap(place => {
    const href = place.pages.find(mayOpen);
    const isForOthers = (place.only && !may(place.only)) || (place.unless && may(place.unless));
    return href === undefined || isForOthers ? [] : [{ ...place, href }];
  });
}

async function sendRedirect(
  world: World,
  reply: FastifyReply,
  { open, signedIn }: Pick<Sending, 'open' | 'signedIn'>,
  answer: Answer & { kind: 'redirect' },
): Promise<FastifyReply> {
  const { to, flash, session } = answer;
  if (flash !== undefined && signedIn) await writeFlash(world.sql, signedIn.session, writeMessage(answer));
  if (session) {
    // The browser forgets its earlier token now, so that token must stop working.
    const earlier = open.cookie === null ? null : readToken(open.cookie);
    // A mail's link is answered by its own cell, but the earlier session may be in another one.
    if (earlier) await deleteSessionOf((world.cells?.of(earlier.merchantId) ?? world).sql, earlier);
    void reply.header(
      'set-cookie',
      writeSessionCookie(session === 'end' ? null : session.token, world.baseUrl),
    );
  }
  // 303 makes the browser request the next page with GET.
  return reply.code(303).header('location', to).send();
}

export type Dashboard = {
  files: FileAddresses;
  places: readonly Place[];
  permissions: ReadonlyMap<string, Permission>;
};

export function openVisit(world: World, request: FastifyRequest): OpenVisit {
  const query = parseForm(request.url.split('?').slice(1).join('?')) ?? emptyForm;
  return {
    texts: chooseLanguage(chosenLanguage(query, request), request.headers['accept-language']),
    form: emptyForm,
    query,
    params: request.params as Record<string, string>,
    now: world.clock.now(),
    url: request.url,
    address: request.ip,
    agent: storable(request.headers['user-agent'] ?? '', mostAgentText),
    cookie: readSessionCookie(request.headers.cookie, world.baseUrl),
    request,
  };
}

const mostAgentText = 300;

export function chosenLanguage(query: OpenVisit['query'], request: FastifyRequest): string {
  return query.text('lang') || readLanguageCookie(request.headers.cookie);
}

/** A refusal in words, with a way on. `detail` is the request's id, or a file's limit in megabytes. */
export function refusalPage({ shell }: Texts, refusal: Refusal, detail = ''): Answer & { kind: 'page' } {
  const [status, title, text] = refusals(shell, detail)[refusal];
  const body = emptyState(html`<h1>${title}</h1>`, text, linkButton('/dashboard', shell.goHome), 'ask');
  return { kind: 'page', status, title, body };
}

type Refusal = keyof ReturnType<typeof refusals>;

function refusals(shell: Texts['shell'], detail: string) {
  return {
    not_found: [404, shell.notFoundTitle, shell.notFoundText],
    forbidden: [403, shell.forbiddenTitle, shell.forbiddenText],
    looking: [403, shell.lookingTitle, shell.lookingText],
    closed: [403, shell.closedTitle, shell.closedText],
    other_site: [403, shell.otherSiteTitle, shell.otherSiteText],
    bad_form: [400, shell.badFormTitle, shell.badFormText],
    too_large: [413, shell.badFormTitle, shell.tooLargeText({ megabytes: detail })],
    unavailable: [503, shell.unavailableTitle, shell.unavailableText],
    broken: [500, shell.brokenTitle, shell.brokenText({ requestId: detail })],
  } as const;
}
