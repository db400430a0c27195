import { readFileSync } from 'node:fs';
import { type Asset, newAsset } from '../http/asset.ts';
import { bundle, newerBrowsers } from '../http/bundle.ts';

/** What every page of the dashboard loads. */
export type DashboardFiles = { script: Asset; style: Asset; icon: Asset };

export async function buildDashboard(): Promise<DashboardFiles> {
  const [script, style] = await Promise.all(
    ['dashboard.ts', 'dashboard.css'].map(entry =>
      bundle(new URL(`browser/${entry}`, import.meta.url), newerBrowsers),
    ),
  );
  return {
    script: newAsset('text/javascript; charset=utf-8', script!),
    style: newAsset('text/css; charset=utf-8', style!),
    icon: newAsset(
      'image/svg+xml; charset=utf-8',
      readFileSync(new URL('../checkout/browser/icon.svg', import.meta.url)),
    ),
  };
}
