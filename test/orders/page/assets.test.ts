import assert from 'node:assert/strict';
import { request } from 'node:http';
import { test } from 'node:test';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { measureSizes } from '../../../scripts/measure-sizes.ts';
import { addTestOrder, openSite } from '../../support/checkout-site.ts';
import { addTestMerchant, openTestWorld } from '../../support/test-world.ts';
import { use } from '../../support/use.ts';

const world = use(openTestWorld);
const site = use(() => openSite(world));

test('page and widget stay within their size limits', async () => {
  for (const { what, brotli, gzip, limit } of await measureSizes()) {
    if (limit) assert.ok((limit.of === 'gzip' ? gzip : brotli) <= limit.bytes, what);
  }
});

test('the older path of the widget gives the same bytes, in every encoding', async () => {
  for (const encoding of ['br', 'gzip', 'identity']) {
    const now = await raw('/embed/milaan.js', { 'accept-encoding': encoding });
    const older = await raw('/widget.js', { 'accept-encoding': encoding });
    assert.equal(now.status, 200);
    assert.deepEqual(now.body, older.body);
    assert.equal(now.headers['content-encoding'], encoding === 'identity' ? undefined : encoding);
    const plain =
      encoding === 'br'
        ? brotliDecompressSync(now.body)
        : encoding === 'gzip'
          ? gunzipSync(now.body)
          : now.body;
    assert.match(plain.toString(), /UpiWidget/);
  }
});

test('a shop on any origin may load the widget, and a browser that has it gets 304', async () => {
  const first = await raw('/embed/milaan.js');
  assert.equal(first.headers['access-control-allow-origin'], '*');
  assert.equal(first.headers['cross-origin-resource-policy'], 'cross-origin');
  assert.equal(first.headers['content-type'], 'text/javascript; charset=utf-8');
  const again = await raw('/embed/milaan.js', { 'if-none-match': first.headers['etag'] as string });
  assert.deepEqual([again.status, again.body.length], [304, 0]);
});

test('the widget’s types are served next to it', async () => {
  const { status, body } = await raw('/embed/milaan.d.ts');
  assert.equal(status, 200);
  assert.match(body.toString(), /createOrderUrl\?: string/);
});

test('the page’s files are cached for ever under their hash; under another hash they are served without caching', async () => {
  const { path } = await addTestOrder(world, await addTestMerchant(world));
  const page = (await raw(path)).body.toString();
  const files = [...page.matchAll(/"(\/checkout\/page-\w+\.(?:js|css|svg))"/g)].map(match => match[1]!);
  assert.equal(files.length, 3);
  for (const file of files) {
    const kept = await raw(file);
    assert.equal(kept.headers['cache-control'], 'public, max-age=31536000, immutable');
    const other = await raw(file.replace(/page-\w+/, 'page-000000000000'));
    assert.equal(other.headers['cache-control'], 'no-store');
    assert.deepEqual(other.body, kept.body);
  }
});

test('a browser that asks for the usual icon address gets an icon', async () => {
  const { status, headers, body } = await raw('/favicon.ico');
  assert.deepEqual([status, headers['content-type']], [200, 'image/svg+xml; charset=utf-8']);
  assert.match(body.toString(), /^<svg /);
  // PLATFORM_MARK replaces it, and may contain a script.
  assert.match(String(headers['content-security-policy']), /^default-src 'none'; .*sandbox$/);
});

test('no other file is served', async () => {
  for (const path of [
    '/checkout/page-1.ts',
    '/checkout/..%2f..%2fpackage.json',
    '/checkout/x',
    '/embed/x.js',
  ])
    assert.equal((await raw(path)).status, 404, path);
});

test('the page is compressed as the browser asks, and never otherwise', async () => {
  const { path } = await addTestOrder(world, await addTestMerchant(world));
  const plain = await raw(path);
  assert.equal(plain.headers['content-encoding'], undefined);
  const br = await raw(path, { 'accept-encoding': 'gzip, br' });
  assert.equal(brotliDecompressSync(br.body).length, plain.body.length);
  const gzip = await raw(path, { 'accept-encoding': 'br;q=0, gzip' });
  assert.equal(gunzipSync(gzip.body).length, plain.body.length);
});

/** node's fetch decodes by itself; here the bytes matter. */
function raw(path: string, headers: Record<string, string> = {}) {
  return new Promise<{ status: number; headers: NodeJS.Dict<string | string[]>; body: Buffer }>(
    (resolve, reject) => {
      const asked = request(site.origin + path, { headers }, answer => {
        const parts: Buffer[] = [];
        answer.on('data', part => parts.push(part));
        answer.on('end', () =>
          resolve({ status: answer.statusCode!, headers: answer.headers, body: Buffer.concat(parts) }),
        );
      });
      asked.on('error', reject);
      asked.end();
    },
  );
}
