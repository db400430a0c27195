import { chmodSync, existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import type { Page } from 'playwright-core';
import { openBrowser } from '../../test/support/browser.ts';
import { install } from '../../test/support/install.ts';
import { programs } from '../../test/support/needs.ts';
import { smallPng } from '../../test/support/small-png.ts';
import { madeFromPlugin, picturesFolder, recordHashes } from '../screens/pictures.ts';
import { takePictures } from '../screens/take-pictures.ts';
import { connectByHand, connectInBrowser } from './connect.ts';
import type { Checkout } from './customer.ts';
import { startMilaan } from './milaan.ts';
import { openShop, type ShopOptions, type WooShop } from './open-shop.ts';
import { ownersWay } from './owners-way.ts';
import { scenes } from './scenes.ts';
import { startMariaDb } from './start-mariadb.ts';
import { traces } from './traces.ts';

/**
 * `WOO_DIR=… npm run drill -- woo [--only word]`: buys in a real WooCommerce, in Chromium, and pays against the
 * sandbox. WOO_DIR is a folder with WordPress and a built WooCommerce in wp-content/plugins; it is copied, not touched.
 * `--pace 3` takes the owner's way alone, with three seconds for every step, and says how long it took;
 * `--pictures` takes the pictures of docs/woocommerce.md on the way.
 */
const { values } = parseArgs({
  options: {
    only: { type: 'string', default: '' },
    keep: { type: 'boolean', default: false },
    pace: { type: 'string' },
    pictures: { type: 'boolean', default: false },
  },
});
const source = process.env['WOO_DIR'] ?? '';
if (!existsSync(join(source, 'wp-content/plugins/woocommerce/woocommerce.php'))) {
  console.error('WOO_DIR must name a folder with WordPress and a built WooCommerce: see docs/woocommerce.md');
  process.exit(1);
}
const shops: ShopOptions[] = [
  { name: 'hpos', hpos: true, theme: 'twentytwentyfour', permalinks: '/%postname%/' },
  { name: 'posts', hpos: false, theme: 'twentytwentyone', permalinks: '' },
];
const php = ['mysql', 'xml', 'mbstring', 'intl', 'gd', 'zip', 'curl'];
install('the drill needs', [
  ['/usr/sbin/mariadbd', 'mariadb-server'],
  ['/usr/bin/php', 'php-cli'],
  ...php.map(
    name => [`/usr/lib/php/*/${name === 'mysql' ? 'mysqli' : name}.so`, `php-${name}`] as [string, string],
  ),
  ...programs.Chromium,
]);

const ends: (() => Promise<unknown>)[] = [];
let ending: Promise<void> | null = null;
for (const signal of ['SIGINT', 'SIGTERM'] as const)
  process.once(signal, () => void endAll().then(() => process.exit(1)));

const failures: string[] = [];
let played = 0;
try {
  await play();
} catch (error) {
  console.error(error);
  failures.push('the drill itself');
} finally {
  await endAll();
}
console.log(`${played - failures.length} of ${played} scenes as they should be`);
for (const failure of failures) console.log(`failed: ${failure}`);
process.exit(failures.length === 0 && played > 0 ? 0 : 1);

async function play(): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'woo-drill-'));
  // MariaDB's own user must reach its folder.
  chmodSync(folder, 0o755);
  if (!values.keep) ends.push(async () => rmSync(folder, { recursive: true, force: true }));
  const database = await startMariaDb(join(folder, 'mariadb'));
  ends.push(() => database.stop());
  const browser = await openBrowser({ slowMo: Number(values.pace ?? 0) * 1000 });
  ends.push(() => browser.stop());
  for (const options of shops.slice(0, values.pace || values.pictures ? 1 : shops.length)) {
    const shop = await openShop(source, folder, database, options);
    ends.push(() => shop.stop());
    await playShop(shop, browser);
  }
}

async function playShop(shop: WooShop, browser: Awaited<ReturnType<typeof openBrowser>>): Promise<void> {
  const milaan = await startMilaan();
  ends.push(() => milaan.stop());
  console.log(
    `${shop.name}: ${shop.hpos ? 'high-performance order storage' : 'orders as posts'}, ${shop.theme}`,
  );
  const { page } = await browser.open();
  page.setDefaultTimeout(60_000);
  if (values.pace || values.pictures) {
    await scene('the owner’s way from an empty shop to a paid order', () =>
      ownersWay(page, shop, milaan, picture),
    );
    if (values.pictures)
      await scene('Milaan’s screen between them', () => takePictures(['woocommerce-consent']));
    return;
  }
  const connected = await scene(
    shop.hpos ? 'installed and connected by the owner in the browser' : 'installed and connected with a key',
    () => (shop.hpos ? connectInBrowser(page, shop, milaan) : connectByHand(page, shop, milaan)),
  );
  if (!connected) return;
  for (const checkout of ['classic', 'blocks'] as Checkout[]) {
    for (const [name, run] of Object.entries(scenes)) {
      if (name.includes(values.only))
        await scene(`${checkout}: ${name}`, () => run({ page, shop, milaan, checkout }), page);
    }
  }
  await scene('PHP complained about nothing of ours', async () => {
    const complaints = shop.complaints();
    if (complaints.length > 0) throw new Error(complaints.slice(0, 5).join('\n'));
  });
  await scene('the uninstalled plugin leaves nothing', () => traces(shop));
}

async function picture(of: string, page: Page): Promise<void> {
  if (!values.pictures) return;
  const name = `woocommerce-${of}`;
  writeFileSync(`${picturesFolder}/${name}.png`, smallPng(await page.screenshot()));
  recordHashes({ [name]: madeFromPlugin(name) });
}

async function scene(name: string, run: () => Promise<void>, page?: Page): Promise<boolean> {
  const begun = performance.now();
  played++;
  try {
    await run();
    console.log(`  ok      ${name} (${((performance.now() - begun) / 1000).toFixed(1)} s)`);
    return true;
  } catch (error) {
    failures.push(name);
    console.log(
      `  FAILED  ${name}: ${(error as Error).message} ${(error as Error).cause ?? ''}${page ? `\n          at ${page.url()}` : ''}`,
    );
    if (values.keep)
      await page?.screenshot({ path: join(tmpdir(), `woo-drill-${played}.png`), fullPage: true });
    return false;
  }
}

/** In the order opposite to that in which things began. */
function endAll(): Promise<void> {
  ending ??= (async () => {
    for (const end of ends.reverse()) await end().catch(error => console.error(error));
  })();
  return ending;
}
