import { type Asset, newAsset } from '../../base/http/asset.ts';
import type { World } from '../../base/world.ts';
import type { DocsFiles } from './build-docs.ts';
import { type MenuEntry, referencePath, type SiteFiles, type SitePage } from './layout.ts';
import { readPages } from './read-pages.ts';

export type Site = { pages: Map<string, SitePage>; menu: MenuEntry[]; files: SiteFiles; search: Asset };

/** Every page rendered, with the menu around them and what a browser searches. */
export function openSite(world: Pick<World, 'baseUrl'>, { js, css, svg }: DocsFiles): Site {
  const pages = readPages(world);
  const search = newAsset('application/json; charset=utf-8', JSON.stringify(searchIndex(pages)));
  return {
    pages: new Map(pages.map(page => [page.path, page])),
    menu: menuOf(pages),
    search,
    files: {
      style: `/docs/files/docs-${css.hash}.css`,
      script: `/docs/files/docs-${js.hash}.js`,
      icon: `/docs/files/docs-${svg.hash}.svg`,
      search: `/docs/files/docs-${search.hash}.json`,
    },
  };
}

function menuOf(pages: ReturnType<typeof readPages>): MenuEntry[] {
  // An alarm's page is come to from the alarm itself, or from the list of all.
  const menu: MenuEntry[] = pages
    .filter(({ path }) => !path.startsWith('/docs/alarms/'))
    .map(({ section, path, name }) => ({ section, path, title: name }));
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
