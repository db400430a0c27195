import { fileURLToPath } from 'node:url';
import { buildSync } from 'esbuild';
import { type Asset, newAsset } from '../http/asset.ts';

/** The site's script and style, bundled in memory at start-up. */
export function buildBrowser(): { js: Asset; css: Asset } {
  return {
    js: newAsset('text/javascript; charset=utf-8', bundle('docs.ts')),
    css: newAsset('text/css; charset=utf-8', bundle('docs.css')),
  };
}

function bundle(entry: string): Uint8Array {
  const { outputFiles } = buildSync({
    entryPoints: [fileURLToPath(new URL(`browser/${entry}`, import.meta.url))],
    bundle: true,
    minify: true,
    write: false,
    format: 'iife',
    target: ['chrome90', 'safari14', 'firefox88'],
    supported: { destructuring: true },
    charset: 'utf8',
    logLevel: 'error',
  });
  return outputFiles[0]!.contents;
}
