import { type Asset, newAsset } from '../../base/http/asset.ts';
import type { World } from '../../base/world.ts';
import type { DocsFiles } from './build-docs.ts';
import { type MenuEntry, referencePath, type SiteFiles, type SitePage } from './layout.ts';
import { type Reader, readPages } from './read-pages.ts';

type Pages = ReturnType<typeof readPages>;
/** What stands around the pages of one kind of reader. */
type Shelf = { menu: MenuEntry[]; search: Asset; files: SiteFiles };
export type Site = { pages: Map<string, SitePage & { reader: Reader }>; shelves: Record<Reader, Shelf> };

/** Every page rendered, with the menu around it and what a browser searches. */
export function openSite(world: Pick<World, 'baseUrl'>, { js, css, svg }: DocsFiles): Site {
  const pages = readPages(world);
  const shelf = (menu: MenuEntry[], searched: Pages): Shelf => {
    const search = newAsset('application/json; charset=utf-8', JSON.stringify(searchIndex(searched)));
    return {
      menu,
      search,
      files: {
        style: `/docs/files/docs-${css.hash}.css`,
        script: `/docs/files/docs-${js.hash}.js`,
        icon: `/docs/files/docs-${svg.hash}.svg`,
        search: `/docs/files/docs-${search.hash}.json`,
      },
    };
  };
  const operators = menuOf(pages, 'operator');
  return {
    pages: new Map(pages.map(page => [page.path, page])),
    shelves: {
      shop: shelf(
        [...shopMenu(pages), ...operators.slice(0, 1)],
        pages.filter(({ reader }) => reader === 'shop'),
      ),
      operator: shelf([{ section: 'Start', path: '/docs', title: 'Overview' }, ...operators], pages),
    },
  };
}

function shopMenu(pages: Pages): MenuEntry[] {
  const menu = menuOf(pages, 'shop');
  const first = menu.findIndex(({ section }) => section === 'Reference');
  return menu.toSpliced(first, 0, { section: 'Reference', path: referencePath, title: 'API reference' });
}

function menuOf(pages: Pages, wanted: Reader): MenuEntry[] {
  return pages.flatMap(({ reader, section, path, name }) =>
    reader === wanted && section !== null ? [{ section, path, title: name }] : [],
  );
}

/** What a browser searches by itself: one entry per passage, fetched when somebody begins to type. */
function searchIndex(pages: Pages): { page: string; heading: string; url: string; text: string }[] {
  return pages.flatMap(({ title, path, passages }) =>
    passages.map(({ heading, id, text }) => ({
      page: title,
      heading,
      url: id ? `${path}#${id}` : path,
      text,
    })),
  );
}
