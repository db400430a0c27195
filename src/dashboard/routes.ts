import type { App } from '../http/app.ts';
import type { World } from '../world.ts';
import { allRoutes } from './all-routes.ts';
import type { DashboardFiles } from './build-dashboard.ts';
import { proofWebhookPath } from './create-proof-order.ts';
import { leadBack } from './lead-back.ts';
import { navigation } from './navigation.ts';
import { notFound } from './route.ts';
import { serveApp } from './serve-app.ts';
import { serveFiles } from './serve-files.ts';
import { serveRoute } from './serve-route.ts';

/** The merchant's screens and the operator's. */
export function dashboardRoutes(app: App, world: World, { files }: { files: DashboardFiles }): void {
  const declared = new Set(allRoutes.filter(({ method }) => method === 'GET').map(({ path }) => path));
  const addresses = serveFiles(app, files);
  serveApp(app, files, addresses);
  const dashboard = {
    files: addresses,
    items: navigation.filter(({ path }) => declared.has(path)),
  };
  for (const route of [...allRoutes, ...leadBack(allRoutes)]) serveRoute(app, world, dashboard, route);
  // Takes the webhook of a first-steps order of who has no server yet; it changes nothing and tells nothing.
  app.post(proofWebhookPath, (_request, reply) => reply.code(204).send());
  // An address that leads nowhere, for people.
  serveRoute(app, world, dashboard, {
    method: 'GET',
    path: '/dashboard/*',
    permission: 'self',
    handle: async () => notFound(),
  });
}
