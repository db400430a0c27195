import { readFileSync } from 'node:fs';
import { type Asset, newAsset } from '../../base/http/asset.ts';
import { bundle, oldestBrowsers } from '../../base/http/bundle.ts';
import { customerTexts } from '../../texts/customer-texts.ts';
import { customerTags } from '../../texts/language-tags.ts';

export type BrowserFiles = Awaited<ReturnType<typeof buildBrowser>>;

export async function buildBrowser() {
  const [script, style, widget] = await Promise.all(
    ['page.ts', 'page.css', 'widget.ts'].map(entry => bundle(browserFile(entry), oldestBrowsers)),
  );
  return {
    script: newAsset(scriptType, script!),
    style: newAsset('text/css; charset=utf-8', style!),
    icon: newAsset('image/svg+xml; charset=utf-8', readFileSync(browserFile('icon.svg'))),
    widget: newAsset(scriptType, widget!),
    widgetTypes: newAsset(
      'application/typescript; charset=utf-8',
      readFileSync(browserFile('milaan-widget.d.ts')),
    ),
    widgetTexts: new Map<string, Asset>(
      customerTags.map(tag => [
        tag,
        newAsset('application/json; charset=utf-8', JSON.stringify(customerTexts(tag).widget)),
      ]),
    ),
  };
}

const scriptType = 'text/javascript; charset=utf-8';

function browserFile(name: string): URL {
  return new URL(`browser/${name}`, import.meta.url);
}
