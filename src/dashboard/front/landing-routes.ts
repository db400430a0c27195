import type { FastifyRequest } from 'fastify';
import type { AnswerStray, App } from '../../base/http/app.ts';
import { type Html, html } from '../../base/http/html.ts';
import { sendHtml } from '../../base/http/send-html.ts';
import { isOpenToAll } from '../../base/settings/config-operator.ts';
import type { World } from '../../base/world.ts';
import { frame, type PageFiles, pageTexts } from '../../orders/page/page-frame.ts';
import { chooseLanguage } from '../../texts/choose-language.ts';
import type { Texts } from '../../texts/languages.ts';
import { readSessionCookie } from '../frame/session-cookie.ts';

type LandingWorld = Pick<World, 'baseUrl' | 'config'>;
type LandingRequest = FastifyRequest<{ Querystring: Record<string, unknown> }>;

/**
 * The bare address. People who work here are sent to their screens; other visitors learn where they are. The same page,
 * with another heading, answers a browser for an unknown address, such as a link cut short.
 */
export function landingRoutes(app: App, world: LandingWorld, files: PageFiles): AnswerStray {
  app.get('/', async (request: LandingRequest, reply) => {
    const { cookie, 'accept-language': wanted } = request.headers;
    if (readSessionCookie(cookie, world.baseUrl) !== null)
      return await reply.code(303).header('location', '/dashboard').send();
    const texts = chooseLanguage(request.query['lang'], wanted);
    return await sendHtml(request, reply, 200, landingPage(world, texts, files, null), {
      vary: 'Accept-Language, Cookie',
    });
  });
  return (request, reply) => {
    const { accept = '', 'accept-language': wanted } = request.headers;
    if (!['GET', 'HEAD'].includes(request.method) || !accept.includes('text/html')) return null;
    if (request.url.startsWith('/api/')) return null;
    const texts = chooseLanguage((request as LandingRequest).query['lang'], wanted);
    const { notFoundTitle: title, notFoundText: what } = texts.shell;
    return sendHtml(request, reply, 404, landingPage(world, texts, files, { title, what }), {
      vary: 'Accept, Accept-Language',
    });
  };
}

/** It says first what this is, or that there is no such page. */
function landingPage(
  { baseUrl, config }: LandingWorld,
  texts: Texts,
  files: PageFiles,
  unknown: Pick<Texts['landing'], 'title' | 'what'> | null,
): Html {
  const words = texts.landing;
  const { title, what } = unknown ?? words;
  const body = html`
<main class="landing">
<section class="card">
<p class="brand"><img src="${files.icon}" alt="" width="32" height="32"> ${texts.shell.product}</p>
<h1>${title}</h1>
<p>${what}</p>
${config.mode === 'sandbox' && html`<p class="note">${words.sandbox}</p>`}
</section>
<section class="card">
<h2>${words.payHeading}</h2>
<p>${words.payText}</p>
<p class="sample"><span>${baseUrl}/pay/…</span><br><span>${baseUrl}/l/…</span></p>
<p class="quiet">${words.payShop}</p>
</section>
<section class="card">
<h2>${words.ownerHeading}</h2>
<p><a class="go" href="/dashboard">${texts.account.signIn}</a></p>
${isOpenToAll(config) && html`<p><a class="go second" href="/dashboard/sign-up">${words.signUp}</a></p>`}
<h2>${words.developerHeading}</h2>
<p><a class="go second" href="/docs">${words.docs}</a></p>
</section>
</main>`;
  return frame({
    texts: pageTexts(texts.tag),
    files,
    title: `${texts.shell.product} · ${title}`,
    body,
    refresh: null,
    script: false,
  });
}
