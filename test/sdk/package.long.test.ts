import assert from 'node:assert/strict';
import { execFile, execFileSync } from 'node:child_process';
import { globSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { test } from 'node:test';
import { promisify } from 'node:util';
import { createContext, runInContext } from 'node:vm';
import { buildSync } from 'esbuild';
import { Webhook } from 'standardwebhooks';
import { newSampleProject } from '../support/sample-project.ts';
import { prepare, use } from '../support/use.ts';

let built: string;
const project = use(newSampleProject);
prepare(async () => {
  built = join(project.folder, 'node_modules/@milaan/sdk/dist');
});

test('npm packs the built files, their types and the page, and nothing else', () => {
  const output = execFileSync('npm', ['pack', '--dry-run', '--json', '--silent'], {
    cwd: 'sdk',
    encoding: 'utf8',
    env: { ...process.env, npm_config_loglevel: 'silent' },
  });
  const [packed] = JSON.parse(output.slice(output.indexOf('['))) as {
    name: string;
    files: { path: string }[];
  }[];
  const sources = globSync('*.ts', { cwd: 'sdk/src' }).map(file => file.replace(/\.ts$/, ''));
  const expected = [
    'README.md',
    'package.json',
    ...sources.flatMap(name => [`dist/${name}.js`, `dist/${name}.d.ts`]),
  ];
  assert.equal(packed?.name, '@milaan/sdk');
  assert.deepEqual(packed?.files.map(file => file.path).sort(), expected.sort());
});

test('the package depends on nothing and imports nothing but its own files', () => {
  const manifest = JSON.parse(readFileSync('sdk/package.json', 'utf8'));
  assert.equal(manifest.dependencies, undefined);
  for (const file of globSync('*.js', { cwd: built })) {
    const text = readFileSync(join(built, file), 'utf8');
    for (const [, target = ''] of text.matchAll(/from ['"]([^'"]+)['"]/g))
      assert.match(target, /^\.\/[\w-]+\.js$/);
    assert.doesNotMatch(text, /\brequire\(|\bBuffer\b|process\.(?!env)|node:/, file);
  }
});

test('the built package is imported by its name, and its types serve a strict project', async () => {
  const path = project.write(
    'use.ts',
    `import { Milaan, type Order, verifyWebhook } from '@milaan/sdk';
const milaan = new Milaan({ baseUrl: 'https://pay.example.in', apiKey: 'key' });
export async function paid(id: string): Promise<boolean> {
  const order: Order = await milaan.getOrder(id);
  // @ts-expect-error a status that does not exist
  if (order.status === 'done') return false;
  const event = await verifyWebhook('', {}, 'whsec_');
  return event.type === 'payment.paid' && event.data.status === 'paid';
}
console.log(typeof Milaan, typeof verifyWebhook);
`,
  );
  const { stdout } = await promisify(execFile)(process.execPath, [path]);
  assert.equal(stdout, 'function function\n');
  const tsc = createRequire(import.meta.url)
    .resolve('typescript/package.json')
    .replace('package.json', 'bin/tsc');
  const strict = [
    '--strict',
    '--noEmit',
    '--module',
    'nodenext',
    '--target',
    'es2022',
    '--lib',
    'es2022,dom',
  ];
  await promisify(execFile)(process.execPath, [tsc, ...strict, '--types', '', path], { cwd: project.folder });
});

test('works with only the web’s own globals, as on edge runtimes', async () => {
  const { outputFiles } = buildSync({
    entryPoints: [join(built, 'milaan.js')],
    bundle: true,
    write: false,
    format: 'iife',
    globalName: 'sdk',
    platform: 'neutral',
  });
  const web = {
    fetch,
    crypto,
    TextEncoder,
    TextDecoder,
    URL,
    URLSearchParams,
    Headers,
    AbortController,
    atob,
    setTimeout,
    clearTimeout,
  };
  const realm = createContext({ ...web });
  runInContext(outputFiles[0]?.text ?? '', realm);
  const { verifyWebhook, Milaan } = runInContext('sdk', realm) as typeof import('../../sdk/src/milaan.ts');
  const secret = `whsec_${Buffer.alloc(24, 7).toString('base64')}`;
  const body = '{"type":"payment.paid","timestamp":"","data":{}}';
  const now = new Date();
  const headers = {
    'webhook-id': 'evt_1',
    'webhook-timestamp': String(Math.floor(now.getTime() / 1000)),
    'webhook-signature': new Webhook(secret).sign('evt_1', now, body),
  };
  // Bytes and headers of another realm, as test runners hand them over.
  assert.equal((await verifyWebhook(Buffer.from(body), new Headers(headers), secret)).type, 'payment.paid');
  const asked: string[] = [];
  const own: typeof fetch = async input => {
    asked.push(String(input));
    return new Response('{"error":"order_not_found","message":"No order."}', { status: 404 });
  };
  const milaan = new Milaan({ baseUrl: 'https://pay.example.in/', apiKey: 'key', fetch: own });
  await assert.rejects(milaan.getOrder('ML-1'), { code: 'order_not_found', status: 404 });
  assert.deepEqual(asked, ['https://pay.example.in/api/v1/orders/ML-1']);
});

test('refuses to run in a browser, where everybody would see the key', () => {
  const realm = createContext({ URL, window: {}, document: {} });
  const { outputFiles } = buildSync({
    entryPoints: [join(built, 'milaan.js')],
    bundle: true,
    write: false,
    format: 'iife',
    globalName: 'sdk',
    platform: 'browser',
  });
  runInContext(outputFiles[0]?.text ?? '', realm);
  const make = `new sdk.Milaan({ baseUrl: 'https://pay.example.in', apiKey: 'key' })`;
  assert.throws(() => runInContext(make, realm), /must not run in a browser/);
});
