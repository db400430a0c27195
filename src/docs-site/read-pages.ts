import { existsSync, globSync, readFileSync } from 'node:fs';
import { posix } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { World } from '../world.ts';
import { type Rendered, renderMarkdown } from './render-markdown.ts';

export type DocsPage = Rendered & {
  /** The file in the repository, with `/`. */
  file: string;
  /** Its address below the site, such as /docs/webhooks. */
  path: string;
  section: string;
  /** What the menu calls it. */
  name: string;
};

/** The order of the menu. A page of docs/ that is not named here stands under the last section. */
const sections: [name: string, files: string[]][] = [
  [
    'Start',
    [
      'docs/README.md',
      'docs/for-owners.md',
      'docs/banks.md',
      'docs/quick-start.md',
      'docs/shops.md',
      'docs/woocommerce.md',
      'docs/medusa.md',
      'docs/taking-payments.md',
      'docs/app.md',
      'docs/integration.md',
      'docs/recipes.md',
      'docs/sandbox.md',
      'docs/going-live.md',
    ],
  ],
  [
    'Reference',
    [
      'docs/webhooks.md',
      'docs/widget.md',
      'docs/connect.md',
      'docs/payment-page.md',
      'docs/dashboard.md',
      'docs/money.md',
      'docs/errors.md',
      'docs/limits.md',
      'docs/clients.md',
      'sdk/README.md',
      'docs/open-points.md',
    ],
  ],
  [
    'Operating',
    [
      'docs/operating.md',
      'docs/alarms.md',
      'docs/high-availability.md',
      'docs/payment-did-not-arrive.md',
      'docs/scaling.md',
      'docs/performance.md',
      'docs/reliability.md',
      'docs/accounts.md',
      'docs/mailboxes.md',
      'docs/forwarding.md',
      'docs/adding-a-bank.md',
    ],
  ],
  ['Behind it', []],
];

/** Where a heading is too long for the menu. */
const shortNames: Record<string, string> = {
  'docs/README.md': 'Overview',
  'docs/going-live.md': 'Going live',
  'docs/shops.md': 'Which way fits my shop?',
  'docs/woocommerce.md': 'WooCommerce',
  'docs/medusa.md': 'Medusa',
  'docs/taking-payments.md': 'Taking payments',
  'docs/app.md': 'App and notices',
  'docs/payment-page.md': 'Payment page',
  'sdk/README.md': 'SDK for JavaScript',
  'docs/recipes.md': 'Recipes',
  'docs/payment-did-not-arrive.md': 'A payment did not arrive',
  'docs/mailboxes.md': 'Mailboxes',
  'docs/adding-a-bank.md': 'Adding a bank',
};

const repository = fileURLToPath(new URL('../../', import.meta.url));

/** Every page, rendered. */
export function readPages({ baseUrl }: Pick<World, 'baseUrl'>): DocsPage[] {
  const listed = sections.flatMap(([section, files]) => files.map(file => ({ section, file })));
  const rest = globSync('docs/**/*.md', { cwd: repository })
    .map(file => file.replaceAll('\\', '/'))
    .filter(file => !listed.some(one => one.file === file))
    .sort()
    .map(file => ({ section: sections.at(-1)![0], file }));
  const all = [...listed, ...rest].filter(({ file }) => existsSync(repository + file));
  const known = new Set(all.map(({ file }) => file));
  const pages = all.map(({ file, section }) => ({
    file,
    section,
    path: pathOf(file),
    ...renderMarkdown(readFileSync(repository + file, 'utf8'), {
      baseUrl,
      linkTo: target => linkFrom(file, target, known),
    }),
  }));
  return pages.map(page => ({ ...page, name: shortNames[page.file] ?? page.title }));
}

function pathOf(file: string): string {
  if (file === 'docs/README.md') return '/docs';
  if (file === 'sdk/README.md') return '/docs/sdk';
  return `/${file.replace(/\.md$/, '')}`;
}

/** The pictures of the pages lie in one folder and are served from it, where the installation has brought them. */
export const picturesFolder = `${repository}docs/pictures/`;

function isPicture(file: string): boolean {
  return /^docs\/pictures\/[\w-]+\.png$/.test(file) && existsSync(repository + file);
}

/** Links are written as files, so that they work in the repository too. */
function linkFrom(file: string, target: string, known: Set<string>): string | null {
  if (/^(?:https?:|mailto:)/.test(target) || target.startsWith('/') || target.startsWith('#')) return target;
  const [path = '', fragment] = target.split('#');
  const aimed = posix.join(posix.dirname(file), path);
  // The reference is made by the server; in the repository its file is this place holder of a link.
  if (aimed === 'docs/api') return `/docs/api${fragment ? `#${fragment}` : ''}`;
  if (isPicture(aimed)) return `/docs/pictures/${posix.basename(aimed)}`;
  if (!known.has(aimed)) return null;
  return pathOf(aimed) + (fragment ? `#${fragment}` : '');
}
