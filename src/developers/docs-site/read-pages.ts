import { existsSync, globSync, readFileSync } from 'node:fs';
import { posix } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { World } from '../../base/world.ts';
import { renderMarkdown } from './render-markdown.ts';

/**
 * The order of the menu, and a name where a page's heading is too long for it. A page of docs/ that is not named here
 * stands under the last section.
 */
const sections: [name: string, pages: [file: string, shortName?: string][]][] = [
  [
    'Start',
    [
      ['docs/README.md', 'Overview'],
      ['docs/for-owners.md'],
      ['docs/banks.md'],
      ['docs/quick-start.md'],
      ['docs/shops.md', 'Which way fits my shop?'],
      ['docs/woocommerce.md', 'WooCommerce'],
      ['docs/medusa.md', 'Medusa'],
      ['docs/taking-payments.md', 'Taking payments'],
      ['docs/app.md', 'App and notices'],
      ['docs/integration.md'],
      ['docs/recipes.md', 'Recipes'],
      ['docs/sandbox.md'],
      ['docs/going-live.md', 'Going live'],
    ],
  ],
  [
    'Reference',
    [
      ['docs/webhooks.md'],
      ['docs/widget.md'],
      ['docs/connect.md'],
      ['docs/payment-page.md', 'Payment page'],
      ['docs/dashboard.md'],
      ['docs/money.md'],
      ['docs/errors.md'],
      ['docs/limits.md'],
      ['docs/clients.md'],
      ['sdk/README.md', 'SDK for JavaScript'],
      ['docs/open-points.md'],
    ],
  ],
  [
    'Operating',
    [
      ['docs/operating.md'],
      ['docs/alarms.md'],
      ['docs/high-availability.md'],
      ['docs/payment-did-not-arrive.md', 'A payment did not arrive'],
      ['docs/scaling.md'],
      ['docs/performance.md'],
      ['docs/reliability.md'],
      ['docs/accounts.md'],
      ['docs/mailboxes.md', 'Mailboxes'],
      ['docs/forwarding.md'],
      ['docs/adding-a-bank.md', 'Adding a bank'],
    ],
  ],
  ['Behind it', []],
];

const repository = fileURLToPath(new URL('../../../', import.meta.url));

/** Every page, rendered. */
export function readPages({ baseUrl }: Pick<World, 'baseUrl'>) {
  const listed: Listed[] = sections.flatMap(([section, pages]) =>
    pages.map(([file, shortName]) => ({ section, file, shortName })),
  );
  const rest = globSync('docs/**/*.md', { cwd: repository })
    .map(file => file.replaceAll('\\', '/'))
    .filter(file => !listed.some(one => one.file === file))
    .sort()
    .map(file => ({ section: sections.at(-1)![0], file }));
  const all: Listed[] = [...listed, ...rest].filter(({ file }) => existsSync(repository + file));
  const known = new Set(all.map(({ file }) => file));
  return all.map(({ file, section, shortName }) => {
    const rendered = renderMarkdown(readFileSync(repository + file, 'utf8'), {
      baseUrl,
      linkTo: target => linkFrom(file, target, known),
    });
    // Its address below the site, such as /docs/webhooks, and what the menu calls it.
    return { ...rendered, file, section, path: pathOf(file), name: shortName ?? rendered.title };
  });
}

type Listed = { section: string; file: string; shortName?: string | undefined };

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
