import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { type App, newApp } from '../../src/base/http/app.ts';
import { openLog } from '../../src/base/log.ts';
import { buildSdk } from '../../src/developers/clients/build-sdk.ts';
import { packZip } from '../../src/developers/clients/pack-zip.ts';
import { clientRoutes, pluginFiles } from '../../src/developers/clients/routes.ts';
import { sandboxConfig } from '../support/live-config.ts';

const run = promisify(execFile);
const { version } = JSON.parse(readFileSync('sdk/package.json', 'utf8')) as { version: string };

let app: App;
let url: string;
let folder: string;
before(async () => {
  app = newApp({ log: openLog('silent'), config: sandboxConfig(), baseUrl: 'http://127.0.0.1:8080' });
  clientRoutes(app);
  url = await app.listen({ host: '127.0.0.1', port: 0 });
  folder = mkdtempSync(join(tmpdir(), 'milaan-install-'));
});
after(async () => {
  await app.close();
  rmSync(folder, { recursive: true, force: true });
});

test('npm installs the SDK from the installation itself, with its types, and Node 20 and newer run it', async () => {
  writeFileSync(join(folder, 'package.json'), '{ "name": "shop", "type": "module", "private": true }');
  const env = {
    ...process.env,
    npm_config_loglevel: 'silent',
    npm_config_audit: 'false',
    npm_config_fund: 'false',
  };
  await run('npm', ['install', `${url}/sdk/milaan-sdk-${version}.tgz`], { cwd: folder, env });
  writeFileSync(
    join(folder, 'use.js'),
    "import * as sdk from '@milaan/sdk';\nconsole.log(Object.keys(sdk).join());\n",
  );
  const { stdout } = await run(process.execPath, ['use.js'], { cwd: folder });
  assert.equal(stdout, 'Milaan,MilaanError,WebhookRefused,finishConnect,startConnect,verifyWebhook\n');
  const installed = join(folder, 'node_modules/@milaan/sdk');
  assert.match(readFileSync(join(installed, 'dist/milaan.d.ts'), 'utf8'), /export declare class Milaan/);
});

test('tar reads the archive, and its bytes depend only on the sources', async () => {
  const get = async () =>
    Buffer.from(await (await fetch(`${url}/sdk/milaan-sdk-${version}.tgz`)).arrayBuffer());
  const archive = join(folder, 'sdk.tgz');
  writeFileSync(archive, await get());
  const { stdout } = await run('tar', ['-tzf', archive]);
  const names = stdout.trim().split('\n');
  assert.ok(names.includes('package/package.json') && names.includes('package/dist/milaan.js'), stdout);
  const { stdout: page } = await run('tar', ['-xzOf', archive, 'package/README.md']);
  assert.equal(page, readFileSync('sdk/README.md', 'utf8'));
  assert.deepEqual(await get(), readFileSync(archive));
});

test('the clients for PHP and Python are served as text, under their own version', async () => {
  for (const [extension, path, names, name] of [
    ['php', 'sdk/php/Milaan.php', `const VERSION = '${version}';`, 'Milaan.php'],
    ['py', 'sdk/python/milaan.py', `__version__ = "${version}"`, 'milaan.py'],
  ] as const) {
    const answer = await fetch(`${url}/sdk/milaan-sdk-${version}.${extension}`);
    const text = await answer.text();
    assert.equal(text, readFileSync(path, 'utf8'));
    assert.ok(text.includes(names), `${path} names another version`);
    assert.equal(answer.headers.get('content-type'), 'text/plain; charset=utf-8');
    assert.equal(answer.headers.get('content-disposition'), `attachment; filename="${name}"`);
  }
});

test('the WooCommerce plugin is served as a zip for shop owners to upload', async () => {
  const { version, files } = pluginFiles();
  const answer = await fetch(`${url}/sdk/milaan-upi-${version}.zip`);
  assert.equal(answer.headers.get('content-type'), 'application/zip');
  assert.deepEqual(Buffer.from(await answer.arrayBuffer()), packZip(files));
});

test('another version, or another file, is not found', async () => {
  for (const file of ['milaan-sdk-9.9.9.tgz', 'milaan-sdk-0.1.0.exe', '..%2fpackage.json', 'package.json'])
    assert.equal((await fetch(`${url}/sdk/${file}`)).status, 404, file);
});

test('a built package is kept, and built again only if the sources changed', async () => {
  const place = pathToFileURL(join(folder, 'cache/sdk.json'));
  const first = await buildSdk(place);
  const kept = JSON.parse(readFileSync(place, 'utf8'));
  writeFileSync(place, JSON.stringify({ ...kept, files: { 'package.json': 'kept' } }));
  assert.deepEqual(await buildSdk(place), { 'package.json': 'kept' });
  writeFileSync(place, JSON.stringify({ ...kept, digest: 'of other sources' }));
  assert.deepEqual(await buildSdk(place), first);
});
