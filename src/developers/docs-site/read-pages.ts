import { existsSync, readFileSync } from 'node:fs';
import { posix } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { World } from '../../base/world.ts';
import { renderMarkdown } from './render-markdown.ts';

/** Owners and developers share a menu and a search. Operators have their own, which also finds everything else. */
export type Reader = 'shop' | 'operator';

/** The menus in order, with a short name for a long heading. A page that is not listed is for contributors only. */
const sections: [name: string, reader: Reader, pages: [file: string, shortName?: string][]][] = [
  [
    'Start',
    'shop',
    [['docs/README.md', 'Overview'], ['docs/shops.md', 'Which way fits my shop?'], ['docs/glossary.md']],
  ],
  [
    'For owners',
    'shop',
    [
      ['docs/for-owners.md', 'What it costs and needs'],
      ['docs/for-owners-hi.md'],
      ['docs/neighbours.md', 'Milaan and others'],
      ['docs/banks.md'],
      ['docs/mailboxes.md', 'Mailbox or forwarding'],
      ['docs/taking-payments.md', 'Taking payments'],
      ['docs/app.md', 'App and notices'],
      ['docs/dashboard.md'],
      ['docs/money.md'],
      ['docs/payment-did-not-arrive.md', 'A payment did not arrive'],
      ['docs/accounts.md', 'Accounts and roles'],
      ['docs/woocommerce.md', 'WooCommerce'],
    ],
  ],
  [
    'For developers',
    'shop',
    [
      ['docs/quick-start.md'],
      ['docs/integration.md'],
      ['docs/webhooks.md'],
      ['docs/widget.md'],
      ['docs/react.md'],
      ['docs/recipes.md', 'Recipes'],
      ['docs/clients.md'],
      ['sdk/README.md', 'SDK for JavaScript'],
      ['sdk/mcp/README.md', 'Agents (MCP)'],
      ['docs/connect.md'],
      ['docs/other-programs.md'],
      ['docs/sandbox.md'],
      ['docs/going-live.md', 'Going live'],
    ],
  ],
  ['Reference', 'shop', [['docs/errors.md'], ['docs/payment-page.md', 'Payment page']]],
  [
    'For operators',
    'operator',
    [
      ['docs/install.md'],
      ['docs/configure.md'],
      ['docs/upgrade.md'],
      ['docs/back-up.md'],
      ['docs/monitor.md'],
      ['docs/running-a-platform.md', 'Running a platform'],
      ['docs/mail-in.md', 'Mail in'],
      ['docs/privacy.md', 'Privacy'],
      ['docs/alarms.md'],
      ['docs/adding-a-bank.md', 'Adding a bank'],
      ['docs/scaling.md'],
      ['docs/cells.md'],
      ['docs/moving.md', 'Moving a business'],
      ['docs/licences.md', 'Licences'],
    ],
  ],
];

const repository = fileURLToPath(new URL('../../../', import.meta.url));

export function readPages({ baseUrl }: Pick<World, 'baseUrl'>) {
  const listed = sections.flatMap(([section, reader, pages]) =>
    pages.map(([file, shortName]) => ({ section, reader, file, shortName })),
  );
  const all = listed.filter(({ file }) => existsSync(repository + file));
  const known = new Set(all.map(({ file }) => file));
  return all.map(({ shortName, ...one }) => {
    const text = readFileSync(repository + one.file, 'utf8');
    const linkTo = (target: string) => linkFrom(one.file, target, known);
    const rendered = renderMarkdown(text, { baseUrl, linkTo });
    const plain = text
      .replaceAll('{base_url}', baseUrl)
      .replaceAll(/\[([^\]]*)\]\(([^)\s]+)\)/g, (_, words: string, target: string) => {
        const to = linkTo(target);
        return to === null ? words : `[${words}](${to})`;
      });
    const language = one.file.endsWith('-hi.md') ? ('hi' as const) : ('en' as const);
    return {
      ...rendered,
      ...one,
      language,
      plain,
      path: pathOf(one.file),
      name: shortName ?? rendered.title,
    };
  });
}

function pathOf(file: string): string {
  if (file === 'docs/README.md') return '/docs';
  if (file === 'sdk/README.md') return '/docs/sdk';
  if (file === 'sdk/mcp/README.md') return '/docs/agents';
  return `/${file.replace(/\.md$/, '')}`;
}

/** `npm run docs` writes both from the schemas that the API itself uses. */
export const collectionFile = `${repository}docs/collection.json`;
export const openapiFile = `${repository}docs/openapi.json`;

/** The pages' pictures are served from this folder, if the installation includes it. */
export const picturesFolder = `${repository}docs/pictures/`;

function isPicture(file: string): boolean {
  return /^docs\/pictures\/[\w-]+\.png$/.test(file) && existsSync(repository + file);
}

/** Links name files, so that they also work in the repository. */
function linkFrom(file: string, target: string, known: Set<string>): string | null {
  if (/^(?:https?:|mailto:)/.test(target) || target.startsWith('/') || target.startsWith('#')) return target;
  const [path = '', fragment] = target.split('#');
  const aimed = posix.join(posix.dirname(file), path);
  // The server renders the reference; in the repository this placeholder file has its place.
  if (aimed === 'docs/api') return `/docs/api${fragment ? `#${fragment}` : ''}`;
  if (aimed === 'docs/openapi.json') return '/api/v1/openapi.json';
  if (aimed === 'docs/collection.json') return '/docs/collection.json';
  if (isPicture(aimed)) return `/docs/pictures/${posix.basename(aimed)}`;
  if (!known.has(aimed)) return null;
  return pathOf(aimed) + (fragment ? `#${fragment}` : '');
}
