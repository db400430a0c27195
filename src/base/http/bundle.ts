import { createHash, randomUUID } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { PluginBuild } from 'esbuild';
import { StartError } from '../start-error.ts';

/** Cheap phones keep old browsers for years. Pages for merchants may need newer ones. */
export const oldestBrowsers = ['chrome80', 'safari13.1', 'firefox78'];
export const newerBrowsers = ['chrome90', 'safari14', 'firefox88'];

type Built = { code: string; inputs: string[]; digest: string };

const root = fileURLToPath(new URL('../../../', import.meta.url));

/** Bundles a script or style with its imports. `npm ci` builds each; the compiler runs again if a source changed. */
export async function bundle(
  entry: URL,
  browsers: readonly string[],
  folder: URL = new URL('browser/', builtFolder()),
): Promise<Buffer> {
  const file = new URL(`${relative(root, fileURLToPath(entry)).replace(/[^\w.]+/g, '-')}.json`, folder);
  const { code } = (await keepBuilt<Built>(
    file,
    ({ inputs, digest }) => digest === digestOf(inputs, browsers),
    async () => {
      const compiled = await compile(fileURLToPath(entry), browsers);
      return { ...compiled, digest: digestOf(compiled.inputs, browsers) };
    },
  ))!;
  return Buffer.from(code);
}

/** Returns what was built before unless its sources have changed; else builds it again. Null if it cannot be built. */
export async function keepBuilt<Built extends { digest: string }>(
  file: URL,
  isCurrent: (before: Built) => boolean,
  build: () => Promise<Built | null>,
): Promise<Built | null> {
  try {
    const before = JSON.parse(readFileSync(file, 'utf8')) as Built;
    if (before.digest === asPacked || isCurrent(before)) return before;
  } catch {
    // Nothing was built yet, or a source is gone.
  }
  const built = await build();
  if (!built) return null;
  const unfinished = new URL(`${file.href}.${randomUUID()}`);
  try {
    mkdirSync(new URL('.', file), { recursive: true });
    writeFileSync(unfinished, JSON.stringify(built));
    renameSync(unfinished, file);
  } catch {
    // If the folder is read-only, every start builds again.
  }
  return built;
}

/** Hashes all that affects the result: the sources, the browsers, and this file. */
function digestOf(inputs: readonly string[], browsers: readonly string[]): string {
  const hash = createHash('sha256').update(JSON.stringify([browsers, inputs]));
  hash.update(readFileSync(fileURLToPath(import.meta.url)));
  for (const input of inputs) hash.update(readFileSync(`${root}${input}`));
  return hash.digest('hex');
}

let running = 0;

async function compile(
  entry: string,
  browsers: readonly string[],
): Promise<{ code: string; inputs: string[] }> {
  const { build, stop, transform } = await import('esbuild').catch(() => {
    throw new StartError(
      'the files for browsers are not built, and esbuild is not installed: run npm ci without --omit=optional, or npm run prepare before it is removed',
    );
  });
  /** A script that imports a style gets its minified text. */
  const importStyles = ({ onLoad }: PluginBuild) =>
    onLoad({ filter: /\.css$/ }, async ({ path }) => {
      const { code } = await transform(readFileSync(path, 'utf8'), { loader: 'css', minify: true });
      return { contents: code.trim(), loader: 'text' };
    });
  running += 1;
  try {
    const { outputFiles, metafile } = await build({
      entryPoints: [entry],
      absWorkingDir: root,
      bundle: true,
      minify: true,
      write: false,
      metafile: true,
      format: 'iife',
      target: [...browsers],
      // Safari 13 and 14 have a bug in a case that we do not use; esbuild would refuse destructuring altogether.
      supported: { destructuring: true },
      charset: 'utf8',
      legalComments: 'none',
      plugins: entry.endsWith('.css') ? [] : [{ name: 'style as text', setup: importStyles }],
      logLevel: 'error',
    });
    return { code: outputFiles[0]!.text, inputs: Object.keys(metafile.inputs) };
  } finally {
    running -= 1;
    // esbuild keeps its process for the next build. Stop it after the last.
    if (running === 0) await stop();
  }
}

/** The digest in an npm package, which contains no sources that could change. */
export const asPacked = 'packed';

/** Inside an npm package, else next to the packages: only those who may change the code can write there. */
export function builtFolder(): URL {
  const packed = new URL('../../built/', import.meta.url);
  return existsSync(packed) ? packed : new URL('../../../node_modules/.cache/milaan/', import.meta.url);
}
