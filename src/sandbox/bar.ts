import { ApiError } from '../base/http/api-error.ts';
import type { App } from '../base/http/app.ts';
import { type Asset, forEver, newAsset, sendAsset } from '../base/http/asset.ts';
import { bundle, oldestBrowsers } from '../base/http/bundle.ts';
import { type Html, html } from '../base/http/html.ts';
import { rupeesText } from '../base/money.ts';
import type { PageOrder } from '../orders/page/queries.ts';
import { scenarios } from './scenarios.ts';

export type BarFiles = Record<'js' | 'css', Asset>;

export async function buildBar(): Promise<BarFiles> {
  const [js, css] = await Promise.all(
    ['bar.ts', 'bar.css'].map(entry => bundle(new URL(`browser/${entry}`, import.meta.url), oldestBrowsers)),
  );
  return {
    js: newAsset('text/javascript; charset=utf-8', js!),
    css: newAsset('text/css; charset=utf-8', css!),
  };
}

/** Serves the bar's files, and returns the bar for the payment pages of the demo business and the demo seller. */
export function barRoutes(
  app: App,
  merchantIds: readonly (number | undefined)[],
  files: BarFiles,
): (order: PageOrder) => Html {
  app.get('/sandbox/bar/:file', (request, reply) => {
    const { file } = request.params as { file: string };
    const [, hash, extension] = /^(\w+)\.(js|css)$/.exec(file) ?? [];
    const asset = files[extension as keyof BarFiles];
    if (!asset || asset.hash !== hash) throw new ApiError('not_found');
    return sendAsset(request, reply, asset, forEver);
  });
  const address = (extension: keyof BarFiles) => `/sandbox/bar/${files[extension].hash}.${extension}`;
  const [script, style] = [address('js'), address('css')];
  return order => (merchantIds.includes(order.merchant_id) ? renderBar(order, script, style) : html``);
}

function renderBar(order: PageOrder, script: string, style: string): Html {
  const amount = rupeesText(order.payable_paise);
  return html`
<link rel="stylesheet" href="${style}">
<aside class="sandbox" id="sandbox" lang="en" aria-labelledby="sandbox-name" data-pay="/sandbox/orders/${order.order_id}/pay">
<p class="sandbox-head"><b id="sandbox-name">Sandbox</b> <span>No money moves. Play the bank:</span></p>
<noscript><p>The buttons need JavaScript.</p></noscript>
<div class="sandbox-ways">${Object.entries(scenarios).map(
    ([how, { label, hint }]) =>
      html`<button type="button" data-how="${how}" title="${hint}">${label}${how === 'exact' && ` ₹${amount}`}</button>`,
  )}</div>
<p class="sandbox-hold"><label><input type="checkbox" id="sandbox-hold"> Hold near misses: a near miss waits for a decision</label></p>
<p class="sandbox-verdict" id="sandbox-verdict" role="status"></p>
<script src="${script}" defer></script>
</aside>`;
}
