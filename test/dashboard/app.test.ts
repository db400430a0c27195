import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { newApp } from '../../src/base/http/app.ts';
import { newAsset } from '../../src/base/http/asset.ts';
import { buildDashboard } from '../../src/dashboard/frame/build-dashboard.ts';
import { dashboardRoutes } from '../../src/dashboard/routes.ts';
import { useDashboard } from '../support/use-dashboard.ts';

const { world, site } = useDashboard();

const get = (url: string) => site.app.inject({ url });

test('a page of the dashboard can be installed as the same app in either language', async () => {
  for (const [language, counter] of [
    ['en', 'Counter'],
    ['hi', 'काउंटर'],
  ]) {
    const page = (await get(`/dashboard/sign-in?lang=${language}`)).body;
    const address = /<link rel="manifest" href="([^"]+)"/.exec(page)?.[1] ?? '';
    const answer = await get(address);
    assert.match(String(answer.headers['content-type']), /^application\/manifest\+json/);
    const manifest = answer.json();
    assert.deepEqual(
      [manifest.id, manifest.start_url, manifest.scope, manifest.display, manifest.shortcuts[0].name],
      ['/dashboard', '/dashboard', '/dashboard', 'standalone', counter],
    );
    assert.deepEqual(
      manifest.shortcuts.map(({ url }: { url: string }) => url),
      ['/dashboard/counter'],
    );
    for (const { src, sizes } of manifest.icons) {
      const icon = await get(src);
      assert.equal(icon.headers['content-type'], 'image/png');
      const png = icon.rawPayload;
      assert.equal(`${png.readUInt32BE(16)}x${png.readUInt32BE(20)}`, sizes, src);
    }
    const touch = /<link rel="apple-touch-icon" href="([^"]+)"/.exec(page)?.[1] ?? '';
    assert.equal((await get(touch)).statusCode, 200);
    const policy = String((await get('/dashboard/sign-in')).headers['content-security-policy']);
    assert.match(policy, /manifest-src 'self'/);
  }
});

test('the worker is revalidated each time, and changes as soon as a file that it caches changes', async () => {
  const first = await get('/dashboard-worker.js');
  assert.equal(first.headers['cache-control'], 'no-cache');
  assert.equal(first.headers['content-security-policy'], "default-src 'none'; connect-src 'self'");
  const versionOf = (code: string) => /"version":"(\w+)"/.exec(code)?.[1];
  const files = await buildDashboard();
  const style = newAsset('text/css; charset=utf-8', `${files.style.plain}\n.new{}`);
  for (const change of [{ style }, { worker: `${files.worker}\n` }]) {
    const app = newApp(world);
    dashboardRoutes(app, world, { files: { ...files, ...change } });
    const other = (await app.inject({ url: '/dashboard-worker.js' })).body;
    assert.notEqual(versionOf(other), versionOf(first.body));
    assert.ok(versionOf(other));
    await app.close();
  }
});

test('no page’s script is larger than 30 KB', async () => {
  const files = await buildDashboard();
  assert.ok(files.script.plain.length < 30_000, String(files.script.plain.length));
  assert.ok(files.worker.length < 30_000);
});

test('the icons were drawn from the current logo', () => {
  const logo = readFileSync(new URL('../../src/orders/page/browser/icon.svg', import.meta.url), 'utf8');
  assert.match(
    logo,
    /fill="#0b6b4f"/,
    'the mark has changed: node scripts/draw-icons.ts draws the icons anew',
  );
});
