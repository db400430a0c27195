import type { App } from '../base/http/app.ts';
import { serveFiles } from '../base/http/serve-files.ts';
import type { World } from '../base/world.ts';
import { allRoutes } from './all-routes.ts';
import { proofWebhookPath } from './first-steps/create-proof-order.ts';
import type { DashboardFiles } from './frame/build-dashboard.ts';
import { type DashboardRoute, get, notFound, type OpenVisit, redirect } from './frame/route.ts';
import { serveApp } from './frame/serve-app.ts';
import { serveRoute } from './frame/serve-route.ts';
import { navigation } from './navigation.ts';

/** The merchant's screens and the operator's. */
export function dashboardRoutes(app: App, world: World, { files }: { files: DashboardFiles }): void {
  const declared = new Set(allRoutes.filter(({ method }) => method === 'GET').map(({ path }) => path));
  const addresses = serveFiles(app, '/dashboard-files', 'dashboard', files);
  serveApp(app, files, addresses);
  const dashboard = {
    files: addresses,
    items: navigation.filter(({ path }) => declared.has(path)),
  };
  for (const route of [...allRoutes, ...leadBack(allRoutes)]) serveRoute(app, world, dashboard, route);
  // Takes the webhook of a first-steps order of who has no server yet; it changes nothing and tells nothing.
  app.post(proofWebhookPath, (_request, reply) => reply.code(204).send());
  // An address that leads nowhere, for people.
  serveRoute(
    app,
    world,
    dashboard,
    get('/dashboard/*', 'self', async () => notFound()),
  );
}

/**
 * A form that was refused is shown again under the address it was sent to, where a reload, a bookmark or the way on
 * after a fresh sign-in would find nothing. Such an address leads to the nearest page above it.
 */
function leadBack(routes: readonly DashboardRoute[]): DashboardRoute[] {
  const pages = new Set(routes.filter(({ method }) => method === 'GET').map(({ path }) => path as string));
  return routes
    .filter(({ method, path }) => method === 'POST' && !pages.has(path))
    .map(({ path, permission }) => {
      let above: string = path;
      while (!pages.has(above)) above = above.slice(0, above.lastIndexOf('/'));
      const depth = above.split('/').length;
      const lead = async (_world: World, { url }: OpenVisit) => {
        const [here = '', ...query] = url.split('?');
        return redirect([here.split('/').slice(0, depth).join('/'), ...query].join('?'));
      };
      return permission === 'anyone' ? get(path, 'anyone', lead) : get(path, 'self', lead);
    });
}
