import type { FastifyReply, FastifyRequest } from 'fastify';
import { ApiError } from '../http/api-error.ts';
import type { App } from '../http/app.ts';
import { type Asset, newAsset, sendAsset } from '../http/asset.ts';
import { html } from '../http/html.ts';
import { sendHtml } from '../http/send-html.ts';
import type { World } from '../world.ts';
import { buildBrowser } from './build-browser.ts';
import { layout, type MenuEntry, type SiteFiles, type SitePage } from './layout.ts';
import { readPages } from './read-pages.ts';
import { renderReference } from './render-reference.ts';

const forEver = 'public, max-age=31536000, immutable';
const referencePath = '/docs/api';

/** The documentation, served by the product itself: no build, no outside request. */
export function docsRoutes(app: App, world: Pick<World, 'baseUrl'>): void {
  const pages = readPages(world);
  const menu = menuOf(pages);
  const files = serveFiles(app, {
    ...buildBrowser(),
    json: newAsset('application/json; charset=utf-8', JSON.stringify(searchIndex(pages))),
  });
  const send = (request: FastifyRequest, reply: FastifyReply, page: SitePage, status = 200) =>
    sendHtml(request, reply, status, layout(page, menu, files));

  let reference: Promise<SitePage> | null = null;
  app.get(referencePath, async (request, reply) => {
    // From the document that callers get, asked for once all routes stand.
    reference ??= app
      .inject('/api/v1/openapi.json')
      .then(response => ({ path: referencePath, ...renderReference(response.json()) }));
    return await send(request, reply, await reference);
  });
  for (const page of pages) app.get(page.path, (request, reply) => send(request, reply, page));
  app.get('/docs/', (_request, reply) => reply.redirect('/docs', 308));
  app.get('/docs/*', (request, reply) => send(request, reply, missingPage, 404));
}

function menuOf(pages: ReturnType<typeof readPages>): MenuEntry[] {
  const menu: MenuEntry[] = pages.map(({ section, path, name }) => ({ section, path, title: name }));
  const first = menu.findIndex(({ section }) => section === 'Reference');
  menu.splice(first < 0 ? menu.length : first, 0, {
    section: 'Reference',
    path: referencePath,
    title: 'API reference',
  });
  return menu;
}

/** What a browser searches by itself: one entry a passage, fetched when somebody begins to type. */
function searchIndex(
  pages: ReturnType<typeof readPages>,
): { page: string; heading: string; url: string; text: string }[] {
  return pages.flatMap(({ title, path, passages }) =>
    passages.map(({ heading, id, text }) => ({
      page: title,
      heading,
      url: id ? `${path}#${id}` : path,
      text,
    })),
  );
}

function serveFiles(app: App, served: Record<'js' | 'css' | 'json', Asset>): SiteFiles {
  app.get('/docs/files/:file', (request: FastifyRequest<{ Params: { file: string } }>, reply) => {
    const [, hash, extension] = /^docs-(\w+)\.(js|css|json)$/.exec(request.params.file) ?? [];
    const asset = served[extension as keyof typeof served];
    if (!asset) throw new ApiError('not_found');
    // While a new version rolls out, a page of the other version may ask here: ours is better than none, unkept.
    return sendAsset(request, reply, asset, hash === asset.hash ? forEver : 'no-store');
  });
  const address = (extension: keyof typeof served) =>
    `/docs/files/docs-${served[extension].hash}.${extension}`;
  return { style: address('css'), script: address('js'), search: address('json') };
}

const missingPage: SitePage = {
  path: '',
  title: 'No such page',
  body: html`<h1>No such page</h1><p>There is no documentation at this address. <a href="/docs">Begin at the start.</a></p>`,
  headings: [],
};
