import { readdirSync, readFileSync } from 'node:fs';
import { type Asset, newAsset } from '../../base/http/asset.ts';
import { bundle, newerBrowsers } from '../../base/http/bundle.ts';
import type { ServedFiles } from '../../base/http/serve-files.ts';

/** The files that every dashboard page loads, and those that make it an app: the worker's code and named icons. */
export type DashboardFiles = ServedFiles & { worker: string; appIcons: Readonly<Record<string, Asset>> };

const appIcons = new URL('app-icons/', import.meta.url);

export async function buildDashboard(): Promise<DashboardFiles> {
  const [script, style, worker] = await Promise.all(
    ['dashboard.ts', 'dashboard.css', 'worker/service-worker.ts'].map(entry =>
      bundle(new URL(`browser/${entry}`, import.meta.url), newerBrowsers),
    ),
  );
  return {
    script: newAsset('text/javascript; charset=utf-8', script!),
    style: newAsset('text/css; charset=utf-8', style!),
    icon: newAsset(
      'image/svg+xml; charset=utf-8',
      readFileSync(new URL('../../orders/page/browser/icon.svg', import.meta.url)),
    ),
    worker: worker!.toString(),
    appIcons: Object.fromEntries(
      readdirSync(appIcons).map(name => [name, newAsset('image/png', readFileSync(new URL(name, appIcons)))]),
    ),
  };
}
