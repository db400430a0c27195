import { fileURLToPath } from 'node:url';
import { build, stop } from 'esbuild';

/** Cheap phones stay on old browsers for years. What only merchants open may ask for newer ones. */
export const oldestBrowsers = ['chrome80', 'safari13', 'firefox78'];
export const newerBrowsers = ['chrome90', 'safari14', 'firefox88'];

let underWay = 0;

/** A script or style with all it imports, for browsers. In memory: there is no build step, nothing is written. */
export async function bundle(entry: URL, browsers: readonly string[]): Promise<Uint8Array> {
  underWay += 1;
  try {
    const { outputFiles } = await build({
      entryPoints: [fileURLToPath(entry)],
      bundle: true,
      minify: true,
      write: false,
      format: 'iife',
      target: [...browsers],
      // Safari 13 and 14 fail in a corner of it that we do not use, and esbuild refuses it whole.
      supported: { destructuring: true },
      charset: 'utf8',
      legalComments: 'none',
      // A script that imports a style wants its text.
      loader: { '.css': entry.pathname.endsWith('.css') ? 'css' : 'text' },
      logLevel: 'error',
    });
    return outputFiles[0]!.contents;
  } finally {
    underWay -= 1;
    // esbuild keeps a process for the next build; after the last there is none.
    if (underWay === 0) await stop();
  }
}
