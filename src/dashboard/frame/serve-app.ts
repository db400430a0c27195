import { createHash } from 'node:crypto';
import type { App } from '../../base/http/app.ts';
import { type Asset, newAsset, sendAsset } from '../../base/http/asset.ts';
import { html } from '../../base/http/html.ts';
import { languages, type Texts } from '../../texts/languages.ts';
import { productName } from '../../texts/name-platform.ts';
import type { DashboardFiles } from './build-dashboard.ts';
import type { FileAddresses } from './layout.ts';

const folder = '/dashboard-files';
const offline = `${folder}/offline.html`;
/** Browsers ask again at every start. An unchanged file is a 304. */
const askAgain = 'no-cache';
const forADay = 'public, max-age=86400';
/** The worker's own policy: it runs nothing from elsewhere and requests only from us. */
const workerPolicy = "default-src 'none'; connect-src 'self'";
const offlinePolicy =
  "default-src 'none'; style-src 'self'; img-src 'self'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'";

export function serveApp(app: App, files: DashboardFiles, addresses: FileAddresses): void {
  const serve = (path: string, asset: Asset, kept: string, policy: string) => {
    app.get(path, (request, reply) => {
      void reply.header('content-security-policy', policy);
      return sendAsset(request, reply, asset, kept);
    });
  };
  const page = newAsset('text/html; charset=utf-8', offlinePage(addresses));
  serve(offline, page, askAgain, offlinePolicy);
  serve('/dashboard-worker.js', worker(files, addresses, page), askAgain, workerPolicy);
  for (const [name, icon] of Object.entries(files.appIcons)) {
    serve(`${folder}/${name}`, icon, forADay, workerPolicy);
  }
  for (const texts of languages) {
    const type = 'application/manifest+json; charset=utf-8';
    serve(`${folder}/app-${texts.tag}.webmanifest`, newAsset(type, manifest(texts)), askAgain, workerPolicy);
  }
}

/** Its bytes change with its files, so the browser installs the new worker, which deletes the old shell. */
function worker({ worker, appIcons }: DashboardFiles, { script, style, icon }: FileAddresses, page: Asset) {
  const kept = [script, style, icon, `${folder}/icon-192.png`];
  const version = createHash('sha256')
    .update(JSON.stringify([kept, page.hash, appIcons['icon-192.png']?.hash]))
    .update(worker)
    .digest('hex')
    .slice(0, 12);
  const shell = JSON.stringify({ version, files: kept, offline });
  return newAsset('text/javascript; charset=utf-8', `self.milaanShell=${shell};\n${worker}`);
}

function manifest({ tag, shell }: Texts): string {
  const icon = (name: string, sizes: string, purpose = 'any') => ({
    src: `${folder}/${name}`,
    sizes,
    type: 'image/png',
    purpose,
  });
  const shortcut = (name: string, url: string) => ({
    name,
    url,
    icons: [icon('icon-192.png', '192x192')],
  });
  return JSON.stringify({
    // The id is the same for every language, so that it stays one app.
    id: '/dashboard',
    name: shell.product,
    short_name: shell.product,
    lang: tag,
    start_url: '/dashboard',
    scope: '/dashboard',
    display: 'standalone',
    background_color: '#eef3f0',
    theme_color: '#0b6b4f',
    icons: [
      icon('icon-192.png', '192x192'),
      icon('icon-512.png', '512x512'),
      icon('icon-maskable-512.png', '512x512', 'maskable'),
    ],
    shortcuts: [shortcut(shell.navigation.counter, '/dashboard/counter')],
  });
}

/** In every language, because without a connection the page cannot learn which one to show. */
function offlinePage({ style, icon }: FileAddresses): string {
  const said = languages.map(
    ({ tag, pushes }) => html`<section class="card" lang="${tag}">
<h1>${pushes.offlineTitle}</h1>
<p>${pushes.offlineText}</p>
<p><a class="button" href="/dashboard">${pushes.tryAgain}</a></p>
</section>`,
  );
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width,initial-scale=1">
<title>${languages.map(({ pushes }) => pushes.offlineTitle).join(' · ')}</title>
<meta name="color-scheme" content="light dark">
<link rel="icon" href="${icon}">
<link rel="stylesheet" href="${style}">
</head>
<body class="open">
<main id="content" class="narrow">
<p class="brand"><img src="${icon}" alt="" width="24" height="24">${productName.en}</p>
${said}
</main>
</body>
</html>
`.text;
}
