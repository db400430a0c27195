import type { FastifyReply, FastifyRequest } from 'fastify';
import { ApiError } from '../http/api-error.ts';
import type { App } from '../http/app.ts';
import { type Asset, newAsset, sendAsset } from '../http/asset.ts';
import { html } from '../http/html.ts';
import { sendHtml } from '../http/send-html.ts';
import type { World } from '../world.ts';
import type { DocsFiles } from './build-browser.ts';
import { layout, type MenuEntry, type SiteFiles, type SitePage } from './layout.ts';
import { readPages } from './read-pages.ts';
import { renderReference } from './render-reference.ts';

const forEver = 'public, max-age=31536000, immutable';
const referencePath = '/docs/api';

type Site = { pages: Map<string, SitePage>; menu: MenuEntry[]; files: SiteFiles; search: Asset };

/** The documentation, served by the product itself: no build, no outside request. */
export function docsRoutes(app: App, world: Pick<World, 'baseUrl'>, { files }: { files: DocsFiles }): void {
  // Rendered when its first reader comes, so that no start waits for it.
  let opened: Site | null = null;
  const site = () => {
    opened ??= openSite(world, files);
    return opened;
  };
  const send = (request: FastifyRequest, reply: FastifyReply, page: SitePage, status = 200) =>
    sendHtml(request, reply, status, layout(page, site().menu, site().files));

  let reference: Promise<SitePage> | null = null;
  app.get(referencePath, async (request, reply) => {
    // From the document that callers get, asked for once all routes stand.
    reference ??= app
      .inject('/api/v1/openapi.json')
      .then(response => ({ path: referencePath, ...renderReference(response.json()) }));
    return await send(request, reply, await reference);
  });
  app.get('/docs', (request, reply) => send(request, reply, site().pages.get('/docs')!));
  app.get('/docs/', (_request, reply) => reply.redirect('/docs', 308));
  app.get('/docs/files/:file', (request: FastifyRequest<{ Params: { file: string } }>, reply) => {
    const [, hash, extension] = /^docs-(\w+)\.(js|css|json)$/.exec(request.params.file) ?? [];
    if (!extension) throw new ApiError('not_found');
    const asset = extension === 'json' ? site().search : files[extension as keyof DocsFiles];
    // While a new version rolls out, a page of the other version may ask here: ours is better than none, unkept.
    return sendAsset(request, reply, asset, hash === asset.hash ? forEver : 'no-store');
  });
  app.get('/docs/*', (request: FastifyRequest<{ Params: { '*': string } }>, reply) => {
    const page = site().pages.get(`/docs/${request.params['*']}`);
    return send(request, reply, page ?? missingPage, page ? 200 : 404);
  });
}

function openSite(world: Pick<World, 'baseUrl'>, { js, css }: DocsFiles): Site {
  const pages = readPages(world);
  const search = newAsset('application/json; charset=utf-8', JSON.stringify(searchIndex(pages)));
  return {
    pages: new Map(pages.map(page => [page.path, page])),
    menu: menuOf(pages),
    search,
    files: {
      style: `/docs/files/docs-${css.hash}.css`,
      script: `/docs/files/docs-${js.hash}.js`,
      search: `/docs/files/docs-${search.hash}.json`,
    },
  };
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

const missingPage: SitePage = {
  path: '',
  title: 'No such page',
  body: html`<h1>No such page</h1><p>There is no documentation at this address. <a href="/docs">Begin at the start.</a></p>`,
  headings: [],
};
