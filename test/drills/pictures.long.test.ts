import assert from 'node:assert/strict';
import { globSync, readFileSync, statSync } from 'node:fs';
import { after, before, test } from 'node:test';
import {
  madeFrom,
  madeFromPlugin,
  pictures,
  picturesFolder,
  pluginPictures,
  readHashes,
  readPlugin,
} from '../../drills/screens/pictures.ts';
import { openSaturday, type Saturday } from '../../drills/screens/saturday.ts';

let shop: Saturday;
before(async () => {
  shop = await openSaturday();
});
after(() => shop?.stop());

test('no picture is stale: each was made from the current screen; if not, npm run drill -- screens docs', async () => {
  const hashes = readHashes();
  const stale: string[] = [];
  for (const picture of pictures)
    if ((await madeFrom(shop, picture)) !== hashes[picture.name]) stale.push(picture.name);
  assert.deepEqual(stale, []);
});

test('no picture of WooCommerce is stale; if one is, npm run drill -- woo --pictures', () => {
  const hashes = readHashes();
  const stale = Object.keys(pluginPictures).filter(name => madeFromPlugin(name) !== hashes[name]);
  assert.deepEqual(stale, []);
});

test('a changed word of the plugin makes only the pictures with its file stale, changed code none', () => {
  const staleAfter = (from: string, to: string) =>
    Object.keys(pluginPictures).filter(name => {
      const changed = (file: string) => readPlugin(file).replaceAll(from, to);
      return madeFromPlugin(name, changed) !== madeFromPlugin(name);
    });
  assert.deepEqual(staleAfter('received by UPI', 'came by UPI'), ['woocommerce-order']);
  assert.deepEqual(staleAfter("createElement('span'", "createElement('b'"), ['woocommerce-checkout']);
  assert.deepEqual(staleAfter('/** The payment in words', '/** The payment in the shop’s own words'), []);
  assert.deepEqual(staleAfter('$received', '$came'), []);
});

test('a changed style rule makes only its own screen’s pictures stale', async () => {
  const { dashboard } = shop.styles;
  const changed = dashboard.replace('.counter-tools{', '.counter-tools{color:red;');
  assert.notEqual(changed, dashboard);
  const restyled = { ...shop, styles: { ...shop.styles, dashboard: changed } };
  const stale: string[] = [];
  for (const picture of pictures)
    if ((await madeFrom(restyled, picture)) !== (await madeFrom(shop, picture))) stale.push(picture.name);
  assert.deepEqual(stale, ['counter', 'counter-desktop']);
});

test('the pictures’ Saturday has eighty payments, all confirmed by the bank’s mails', async () => {
  const { body } = await shop.ask('/dashboard');
  assert.match(body, /80 payments/);
});

test('every picture is shown by a document, and has a modest size', () => {
  const papers = globSync(['README.md', 'docs/*.md'])
    .map(file => readFileSync(file, 'utf8'))
    .join();
  for (const name of Object.keys(readHashes())) {
    assert.ok(papers.includes(`pictures/${name}.png`), name);
    assert.ok(statSync(`${picturesFolder}/${name}.png`).size < 130_000, name);
  }
});
