import { type Asset, newAsset } from '../../base/http/asset.ts';
import type { World } from '../../base/world.ts';
import type { DocsFiles } from './build-docs.ts';
import { type MenuEntry, referencePath, type SiteFiles } from './layout.ts';
import { type Reader, readPages } from './read-pages.ts';

type Pages = ReturnType<typeof readPages>;
/** The frame's parts for one kind of reader. */
type Shelf = { menu: MenuEntry[]; search: Asset; files: SiteFiles };
export type Site = {
  pages: Map<string, Pages[number]>;
  /** The list of pages for language models, as llmstxt.org defines it. */
  llms: string;
  shelves: Record<Reader, Shelf>;
};

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
    llms: llmsText(world, pages),
    shelves: {
      shop: shelf(
        [...shopMenu(pages), ...operators.slice(0, 1)],
        pages.filter(({ reader }) => reader === 'shop'),
      ),
      operator: shelf([{ section: 'Start', path: '/docs', title: 'Overview' }, ...operators], pages),
    },
  };
}

function llmsText({ baseUrl }: Pick<World, 'baseUrl'>, pages: Pages): string {
  const line = (name: string, path: string) => `- [${name}](${baseUrl}${path})\n`;
  const sections = Map.groupBy(pages, ({ section }) => section);
  const lists = [...sections].map(
    ([section, all]) =>
      `\n## ${section}\n\n${all.map(({ name, path }) => line(name, `${path}.md`)).join('')}`,
  );
  const what = `# Milaan\n\n> Confirms UPI payments for Indian shops without a payment gateway: a shop's server creates an order by API, the customer pays into the shop's own bank account, and a signed webhook says that it is paid. Only the status "paid" is paid.\n\n`;
  return `${what}${line('OpenAPI document', '/api/v1/openapi.json')}${line('Collection for Postman and Bruno', '/docs/collection.json')}${lists.join('')}`;
}

function shopMenu(pages: Pages): MenuEntry[] {
  const menu = menuOf(pages, 'shop');
  const first = menu.findIndex(({ section }) => section === 'Reference');
  return menu.toSpliced(first, 0, { section: 'Reference', path: referencePath, title: 'API reference' });
}

function menuOf(pages: Pages, wanted: Reader): MenuEntry[] {
  return pages.flatMap(({ reader, section, path, name, language }) =>
    reader === wanted ? [{ section, path, title: name, language }] : [],
  );
}

/** The search index: one entry per passage, fetched when somebody starts to type. */
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
