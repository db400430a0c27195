import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { build, stop } from 'esbuild';
import { type Asset, newAsset } from '../http/asset.ts';

/** Everything the browser loads beside the page itself, bundled and compressed in memory. */
export type BrowserFiles = {
  pageScript: Asset;
  pageStyle: Asset;
  icon: Asset;
  widget: Asset;
  /** Types of the widget for TypeScript users. */
  widgetTypes: Asset;
};

/** Cheap phones stay on old browsers for years. */
const oldestBrowsers = ['chrome80', 'safari13', 'firefox78'];

/** Bundles once at start-up: there is no build step, and nothing is written to the disk. */
export async function buildBrowser(): Promise<BrowserFiles> {
  const files = {
    pageScript: newAsset(script, await bundle('page.ts')),
    pageStyle: newAsset('text/css; charset=utf-8', await bundle('page.css')),
    icon: newAsset('image/svg+xml; charset=utf-8', readFileSync(browserFile('icon.svg'))),
    widget: newAsset(script, await bundle('widget.ts')),
    widgetTypes: newAsset(
      'application/typescript; charset=utf-8',
      readFileSync(browserFile('milaan-widget.d.ts')),
    ),
  };
  // esbuild keeps a process for the next build; there is none.
  await stop();
  return files;
}

const script = 'text/javascript; charset=utf-8';

async function bundle(entry: string): Promise<Uint8Array> {
  const { outputFiles } = await build({
    entryPoints: [browserFile(entry)],
    bundle: true,
    minify: true,
    write: false,
    format: 'iife',
    target: oldestBrowsers,
    // Safari 13 fails in a corner of it that we do not use, and esbuild refuses it whole.
    supported: { destructuring: true },
    charset: 'utf8',
    legalComments: 'none',
    loader: { '.css': entry.endsWith('.css') ? 'css' : 'text' },
    logLevel: 'error',
  });
  return outputFiles[0]!.contents;
}

function browserFile(name: string): string {
  return fileURLToPath(new URL(`browser/${name}`, import.meta.url));
}
