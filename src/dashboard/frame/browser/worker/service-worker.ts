declare const self: ServiceWorkerGlobalScope & {
  /** The server writes this above the script: version, files of the shell, and the page without a connection. */
  milaanShell: { version: string; files: string[]; offline: string };
};

/**
 * Caches the dashboard's style and scripts and no content. Pages and answers always come from the server. So no cache
 * holds a sum, a name or an order, and no page shows yesterday's state.
 */
const { version, files, offline } = self.milaanShell;
const prefix = 'milaan-shell-';
const cacheName = prefix + version;

self.addEventListener('install', event => {
  event.waitUntil(fill());
});

async function fill(): Promise<void> {
  const cache = await caches.open(cacheName);
  // Bypasses the browser's own cache, or an older answer under a name without a hash would be kept for good.
  await cache.addAll([...files, offline].map(path => new Request(path, { cache: 'reload' })));
  // A page of the previous version asks for files by their own names, so this need not wait until it is closed.
  await self.skipWaiting();
}

self.addEventListener('activate', event => {
  event.waitUntil(takeOver());
});

async function takeOver(): Promise<void> {
  const names = await caches.keys();
  const old = names.filter(name => name.startsWith(prefix) && name !== cacheName);
  await Promise.all(old.map(name => caches.delete(name)));
  // Requests the page while the worker still starts.
  await self.registration.navigationPreload?.enable();
  await self.clients.claim();
}

self.addEventListener('fetch', event => {
  const { request } = event;
  const { origin, pathname } = new URL(request.url);
  if (request.method !== 'GET' || origin !== self.location.origin) return;
  if (request.mode === 'navigate') event.respondWith(answer(event).catch(withoutConnection));
  else if (files.includes(pathname)) event.respondWith(kept(request));
});

async function answer(event: FetchEvent): Promise<Response> {
  return ((await event.preloadResponse) as Response | undefined) ?? (await fetch(event.request));
}

async function withoutConnection(): Promise<Response> {
  return (await caches.match(offline, { cacheName })) ?? Response.error();
}

async function kept(request: Request): Promise<Response> {
  return (await caches.match(request, { cacheName, ignoreVary: true })) ?? fetch(request);
}

self.addEventListener('push', event => {
  event.waitUntil(show(event.data));
});

/** Browsers require that every push is shown. The same tag replaces a repeated notice. */
async function show(data: PushMessageData | null): Promise<void> {
  const { title = 'Milaan', body = '', url = '/dashboard', tag = 'milaan' } = read(data);
  await self.registration.showNotification(title, {
    body,
    tag,
    icon: '/dashboard-files/icon-192.png',
    data: { url },
  });
}

function read(data: PushMessageData | null): Record<string, string> {
  try {
    return (data?.json() ?? {}) as Record<string, string>;
  } catch {
    return {};
  }
}

self.addEventListener('notificationclick', event => {
  event.notification.close();
  const { url } = (event.notification.data ?? {}) as { url?: string };
  event.waitUntil(open(new URL(url ?? '/dashboard', self.location.origin)));
});

/** Opens only dashboard pages, in an existing window if there is one. */
async function open(url: URL): Promise<void> {
  const isOurs = url.origin === self.location.origin && url.pathname.startsWith('/dashboard');
  const to = isOurs ? url.href : `${self.location.origin}/dashboard`;
  const windows = await self.clients.matchAll({ type: 'window' });
  const same = windows.find(window => window.url === to);
  if (same) return void (await same.focus());
  // Opening a notice must not take the counter off its screen.
  const other = windows.find(window => new URL(window.url).pathname !== '/dashboard/counter');
  if (other) await (await other.navigate(to))?.focus();
  else await self.clients.openWindow(to);
}
