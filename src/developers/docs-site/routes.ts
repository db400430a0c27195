import { readFile } from 'node:fs/promises';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { ApiError } from '../../base/http/api-error.ts';
import type { App } from '../../base/http/app.ts';
import { forEver, sendAsset } from '../../base/http/asset.ts';
import { html } from '../../base/http/html.ts';
import { sendHtml } from '../../base/http/send-html.ts';
import type { World } from '../../base/world.ts';
import type { DocsFiles } from './build-docs.ts';
import { layout, referencePath, type SitePage } from './layout.ts';
import type { Site } from './open-site.ts';
import type { Reader } from './read-pages.ts';
import { renderReference } from './render-reference.ts';

const openapiPath = '/api/v1/openapi.json';
const json = 'application/json; charset=utf-8';
const forAnHour = 'public, max-age=3600';

/** The product serves its own documentation, without a build step or an outside request. */
export function docsRoutes(app: App, world: Pick<World, 'baseUrl'>, { files }: { files: DocsFiles }): void {
  // Rendered at the first request, so that it does not slow the start.
  let opened: Promise<Site> | null = null;
  const site = () => {
    opened ??= import('./open-site.ts').then(({ openSite }) => openSite(world, files));
    return opened;
  };
  const send = async (
    request: FastifyRequest,
    reply: FastifyReply,
    page: SitePage & { reader?: Reader },
    status = 200,
  ) => {
    const { menu, files: addresses } = (await site()).shelves[page.reader ?? 'shop'];
    return await sendHtml(request, reply, status, layout(page, menu, addresses));
  };

  const searchOf = async (hash: string | undefined) => {
    const { shop, operator } = (await site()).shelves;
    return operator.search.hash === hash ? operator.search : shop.search;
  };

  let reference: Promise<SitePage> | null = null;
  app.get(referencePath, async (request, reply) => {
    // Rendered from the served OpenAPI document at the first request, when all routes are registered.
    reference ??= app
      .inject(openapiPath)
      .then(response => ({ path: referencePath, ...renderReference(response.json()) }));
    return await send(request, reply, await reference);
  });
  app.get('/docs', async (request, reply) => send(request, reply, (await site()).pages.get('/docs')!));
  app.get('/docs/', (_request, reply) => reply.redirect('/docs', 308));
  app.get('/docs/files/:file', async (request: FastifyRequest<{ Params: { file: string } }>, reply) => {
    const [, hash, extension] = /^docs-(\w+)\.(js|css|svg|json)$/.exec(request.params.file) ?? [];
    if (!extension) throw new ApiError('not_found');
    const asset = extension === 'json' ? await searchOf(hash) : files[extension as keyof DocsFiles];
    // During a rollout a page of the other version may ask here. Our file is better than none, but must not be cached.
    return sendAsset(request, reply, asset, hash === asset.hash ? forEver : 'no-store');
  });
  app.get('/docs/pictures/:file', async (request: FastifyRequest<{ Params: { file: string } }>, reply) => {
    if (!/^[\w-]+\.png$/.test(request.params.file)) throw new ApiError('not_found');
    const { picturesFolder } = await import('./read-pages.ts');
    const bytes = await readFile(picturesFolder + request.params.file).catch(() => {
      throw new ApiError('not_found');
    });
    return reply.headers({ 'content-type': 'image/png', 'cache-control': forAnHour }).send(bytes);
  });
  app.get('/llms.txt', async (_request, reply) => sendText(reply, (await site()).llms));
  app.get('/docs/collection.json', async (_request, reply) => {
    const { collectionFile } = await import('./read-pages.ts');
    const text = (await readFile(collectionFile, 'utf8')).replace('{base_url}', world.baseUrl);
    return sendText(reply, text, json);
  });
  app.get(openapiPath, async (_request, reply) => {
    const { openapiFile } = await import('./read-pages.ts');
    // The examples keep their address: a signature is over the bytes of its body.
    const text = await readFile(openapiFile, 'utf8');
    const own = text.replaceAll('"url": "https://pay.example.in', `"url": "${world.baseUrl}`);
    return sendText(reply, own, json);
  });
  app.get('/openapi.json', (_request, reply) => reply.redirect(openapiPath, 308));
  app.get('/docs.md', async (_request, reply) => sendText(reply, (await site()).pages.get('/docs')!.plain));
  app.get('/docs/*', async (request: FastifyRequest<{ Params: { '*': string } }>, reply) => {
    const asked = request.params['*'];
    const plain = asked.endsWith('.md') && (await site()).pages.get(`/docs/${asked.slice(0, -'.md'.length)}`);
    if (plain) return sendText(reply, plain.plain);
    const moved = findMoved(await site(), asked);
    if (moved) return reply.redirect(moved, 308);
    const page = (await site()).pages.get(`/docs/${asked}`);
    return send(request, reply, page ?? missingPage, page ? 200 : 404);
  });
}

function sendText(reply: FastifyReply, text: string, type = 'text/plain; charset=utf-8') {
  return reply.headers({ 'content-type': type, 'cache-control': forAnHour }).send(text);
}

const missingPage: SitePage = {
  path: '',
  title: 'No such page',
  body: html`<h1>No such page</h1><p>There is no documentation at this address. <a href="/docs">Begin at the start.</a></p>`,
  headings: [],
};

/** Pages of earlier releases and their new addresses. Bookmarks, mails and plugins use the old ones. */
const moved = new Map([
  ['breach', 'privacy#after-a-breach'],
  ['chats', 'app#notices-in-chats'],
  ['citus', 'cells#a-cell-on-citus'],
  ['forwarding', 'mailboxes#forwarding'],
  ['from-source', 'install#from-source'],
  ['high-availability', 'scaling#high-availability'],
  ['laptop', 'webhooks#webhooks-on-your-laptop'],
  ['limits', 'errors#limits'],
  ['medusa', 'other-programs#medusa'],
  ['n8n', 'other-programs#n8n'],
  ['open-points', 'integration'],
  ['operating', 'install'],
  ['plans', 'running-a-platform#selling-plans'],
  ['sound-box', 'taking-payments#an-old-phone-as-the-sound-box'],
  ['what-is-kept', 'privacy#what-is-kept-how-long-and-why'],
  ['whmcs', 'other-programs#whmcs'],
]);

/** The address that replaced `asked` (a path below /docs/), as a page or, with `.md`, as plain text. */
function findMoved({ pages }: Site, asked: string): string | null {
  const name = asked.replace(/\.md$/, '');
  // Prometheus rules of earlier releases link to one page for each alarm.
  const alarm = pages
    .get('/docs/alarms')
    ?.headings.find(({ level, text }) => level === 2 && name === `alarms/${text}`);
  const target = alarm ? `alarms#${alarm.id}` : moved.get(name);
  if (target === undefined) return null;
  return `/docs/${asked.endsWith('.md') ? target.replace(/(?=#)|$/, '.md') : target}`;
}
