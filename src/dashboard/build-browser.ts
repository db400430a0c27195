import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { buildSync } from 'esbuild';
import { type Asset, newAsset } from '../http/asset.ts';

/** What every page of the dashboard loads, bundled and compressed in memory. */
export type DashboardFiles = { script: Asset; style: Asset; icon: Asset };

const browsers = ['chrome90', 'safari14', 'firefox90'];

/** Bundles once at start-up: there is no build step, and nothing is written to the disk. */
export function buildDashboard(): DashboardFiles {
  return {
    script: newAsset('text/javascript; charset=utf-8', bundle('dashboard.ts')),
    style: newAsset('text/css; charset=utf-8', bundle('dashboard.css')),
    icon: newAsset(
      'image/svg+xml; charset=utf-8',
      readFileSync(new URL('../checkout/browser/icon.svg', import.meta.url)),
    ),
  };
}

function bundle(entry: string): Uint8Array {
  const { outputFiles } = buildSync({
    entryPoints: [fileURLToPath(new URL(`browser/${entry}`, import.meta.url))],
    bundle: true,
    minify: true,
    write: false,
    format: 'iife',
    target: browsers,
    // Safari 14 fails in a corner of it that we do not use, and esbuild refuses it whole.
    supported: { destructuring: true },
    charset: 'utf8',
    legalComments: 'none',
    logLevel: 'error',
  });
  return outputFiles[0]!.contents;
}
