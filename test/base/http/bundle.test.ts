import assert from 'node:assert/strict';
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { registerHooks } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { bundle, newerBrowsers, oldestBrowsers } from '../../../src/base/http/bundle.ts';
import { StartError } from '../../../src/base/start-error.ts';

let folder: string;
let entry: URL;
let kept: URL;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'milaan-bundle-'));
  entry = pathToFileURL(join(folder, 'entry.ts'));
  kept = pathToFileURL(join(folder, 'kept/'));
  writeFileSync(entry, `import { greeting } from './greeting.ts';\ndocument.title = greeting;\n`);
  greet('namaste');
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

function greet(word: string): void {
  writeFileSync(join(folder, 'greeting.ts'), `export const greeting: string = '${word}';\n`);
}

/** An installation whose compiler was taken away. */
async function withoutCompiler<T>(work: () => Promise<T>): Promise<T> {
  const hooks = registerHooks({
    resolve(specifier, context, next) {
      if (specifier === 'esbuild') throw new Error('not installed');
      return next(specifier, context);
    },
  });
  try {
    return await work();
  } finally {
    hooks.deregister();
  }
}

test('a missing bundle without a compiler is refused with a message; a built one is served without it', async () => {
  await assert.rejects(
    withoutCompiler(() => bundle(entry, oldestBrowsers, kept)),
    error => error instanceof StartError && /npm ci/.test(error.message),
  );
  const built = (await bundle(entry, oldestBrowsers, kept)).toString();
  assert.match(built, /document\.title=.*namaste|namaste.*document\.title=/s);
  assert.equal((await withoutCompiler(() => bundle(entry, oldestBrowsers, kept))).toString(), built);
  assert.equal(readdirSync(kept).length, 1);
});

test('a changed source, however deep, and other browser targets are built again', async () => {
  await bundle(entry, oldestBrowsers, kept);
  greet('vanakkam');
  assert.match((await bundle(entry, oldestBrowsers, kept)).toString(), /vanakkam/);
  await assert.rejects(
    withoutCompiler(() => bundle(entry, newerBrowsers, kept)),
    StartError,
  );
});

test('a bundle is built even if it cannot be stored', async () => {
  // A file in the folder's place, which stops root as well.
  writeFileSync(join(folder, 'kept'), '');
  assert.match((await bundle(entry, oldestBrowsers, kept)).toString(), /namaste/);
});
