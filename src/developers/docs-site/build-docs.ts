import { readFileSync } from 'node:fs';
import { type Asset, newAsset } from '../../base/http/asset.ts';
import { bundle, newerBrowsers } from '../../base/http/bundle.ts';

export type DocsFiles = { js: Asset; css: Asset; svg: Asset };

export async function buildDocs(): Promise<DocsFiles> {
  const [js, css] = await Promise.all(
    ['docs.ts', 'docs.css'].map(entry => bundle(new URL(`browser/${entry}`, import.meta.url), newerBrowsers)),
  );
  return {
    js: newAsset('text/javascript; charset=utf-8', js!),
    css: newAsset('text/css; charset=utf-8', css!),
    svg: newAsset(
      'image/svg+xml; charset=utf-8',
      readFileSync(new URL('../../orders/page/browser/icon.svg', import.meta.url)),
    ),
  };
}
