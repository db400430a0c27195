import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { globSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { pathToFileURL } from 'node:url';

/** React itself, on a server and in a browser, is the drill's: `npm run drill -- react`. */
let built: string;
before(() => {
  built = mkdtempSync(join(tmpdir(), 'milaan-react-'));
  execFileSync('node_modules/.bin/tsc', ['-p', 'sdk/react', '--outDir', built]);
});
after(() => rmSync(built, { recursive: true, force: true }));

const read = (file: string) => readFileSync(file, 'utf8');

test('the React package packs its built files and its page, is private, and has React as its only peer', () => {
  const said = execFileSync('npm', ['pack', '--dry-run', '--json', '--silent'], {
    cwd: 'sdk/react',
    encoding: 'utf8',
    env: { ...process.env, npm_config_loglevel: 'silent' },
  });
  const [packed] = JSON.parse(said.slice(said.indexOf('[\n'))) as { files: { path: string }[] }[];
  const sources = globSync('*.ts', { cwd: 'sdk/react/src' }).map(file => file.replace(/\.ts$/, ''));
  const wanted = sources.flatMap(name => [`dist/${name}.js`, `dist/${name}.d.ts`]);
  assert.deepEqual(
    packed?.files.map(({ path }) => path).sort(),
    ['README.md', 'package.json', ...wanted].sort(),
  );
  const manifest = JSON.parse(read('sdk/react/package.json'));
  // Until the owner has chosen a licence.
  assert.deepEqual([manifest.private, manifest.license], [true, 'UNLICENSED']);
  assert.deepEqual(manifest.peerDependencies, { react: '>=18' });
  assert.equal(manifest.dependencies, undefined);
});

test('the React package imports only React and its own files, and each file with a hook is marked for browsers', async () => {
  for (const file of globSync('*.js', { cwd: built })) {
    const text = read(join(built, file));
    for (const [, target = ''] of text.matchAll(/from ['"]([^'"]+)['"]/g))
      assert.match(target, /^(?:react|\.\/[\w-]+\.js)$/, file);
    if (/\buse(?:State|Effect)\b/.test(text)) assert.match(text, /^'use client';/, file);
    // A server has no window: whatever is needed there is asked for in an effect, never on import.
    else if (file !== 'milaan-react.js') await import(pathToFileURL(join(built, file)).href);
  }
});

test('the React package’s options are the widget’s, except those that need a key in the page', () => {
  const names = (text: string) => [...text.matchAll(/^ {2}(\w+)\??: /gm)].map(([, name = '']) => name);
  const widget = /interface MilaanOptions \{([\s\S]*?)\n\}/.exec(
    read('src/orders/page/browser/milaan-widget.d.ts'),
  );
  const ours = /type MilaanPaymentProps = \{([\s\S]*?)\n\}/.exec(read('sdk/react/src/milaan-payment.ts'));
  const withKey = ['apiKey', 'gateway', 'merchantOrderId', 'successUrl', 'failureUrl', 'webhookUrl'];
  const left = [...withKey, 'customer', 'paymentAccountId'];
  const react = ['onLoadError', 'fallback', 'className', 'nonce'];
  assert.deepEqual(
    names(ours?.[1] ?? '')
      .filter(name => !react.includes(name))
      .sort(),
    names(widget?.[1] ?? '')
      .filter(name => !left.includes(name))
      .sort(),
  );
});
