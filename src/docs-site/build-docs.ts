import { type Asset, newAsset } from '../http/asset.ts';
import { bundle, newerBrowsers } from '../http/bundle.ts';

export type DocsFiles = { js: Asset; css: Asset };

/** The site's script and style. */
export async function buildDocs(): Promise<DocsFiles> {
  const [js, css] = await Promise.all(
    ['docs.ts', 'docs.css'].map(entry => bundle(new URL(`browser/${entry}`, import.meta.url), newerBrowsers)),
  );
  return {
    js: newAsset('text/javascript; charset=utf-8', js!),
    css: newAsset('text/css; charset=utf-8', css!),
  };
}
