import { countOpenLines } from '../alerts/judging/queries/held-lines.ts';
import type { App } from '../base/http/app.ts';
import { serveFiles } from '../base/http/serve-files.ts';
import type { World } from '../base/world.ts';
import type { Permission } from '../business/accounts/may-do.ts';
import { allRoutes } from './all-routes.ts';
import type { DashboardFiles } from './frame/build-dashboard.ts';
import type { Place } from './frame/layout.ts';
import { type DashboardRoute, get, notFound, type OpenVisit, redirect } from './frame/route.ts';
import { serveApp } from './frame/serve-app.ts';
import { serveRoute } from './frame/serve-route.ts';
import { countOpenReports } from './operator/queries/watch.ts';
import { sumMoneyToDo } from './payments/queries/credits.ts';

export function dashboardRoutes(app: App, world: World, { files }: { files: DashboardFiles }): void {
  const addresses = serveFiles(app, '/dashboard-files', 'dashboard', files);
  serveApp(app, files, addresses);
  const dashboard = { files: addresses, places, permissions: permissionsOf(allRoutes) };
  for (const route of [...allRoutes, ...leadBack(allRoutes)]) serveRoute(app, world, dashboard, route);
  // Proofs that release 0.2.0 began send their webhook here. It changes nothing and reveals nothing.
  app.post('/first-steps/webhook', (_request, reply) => reply.code(204).send());
  serveRoute(
    app,
    world,
    dashboard,
    get('/dashboard/*', 'self', async () => notFound()),
  );
}

function permissionsOf(routes: readonly DashboardRoute[]): ReadonlyMap<string, Permission> {
  return new Map(
    routes.flatMap(({ method, path, permission }) =>
      method === 'GET' && permission !== 'anyone' ? [[path, permission] as const] : [],
    ),
  );
}

/**
 * A refused form is shown again at its POST address. A reload, a bookmark or the way back after a confirmation would
 * find nothing there. Such an address leads to the nearest page above it.
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

/**
 * The places in their order. A person sees those that have a page for them. The badge in the shop's part counts only
 * what a person must decide.
 */
const places: readonly Place[] = [
  {
    text: 'home',
    icon: 'home',
    pages: ['/dashboard'],
    covers: ['/dashboard/first-steps', '/dashboard/notices', '/dashboard/today', '/dashboard/to-do'],
  },
  {
    text: 'collect',
    icon: 'collect',
    pages: ['/dashboard/counter', '/dashboard/links', '/dashboard/poster'],
    covers: ['/dashboard/pay'],
    only: 'business.read',
  },
  {
    text: 'counter',
    icon: 'collect',
    pages: ['/dashboard/counter'],
    covers: ['/dashboard/pay'],
    unless: 'business.read',
  },
  {
    text: 'payments',
    icon: 'payments',
    pages: ['/dashboard/payments', '/dashboard/orders'],
    covers: ['/dashboard/money'],
    waiting: async ({ sql }, { merchantId, now }) => (await sumMoneyToDo(sql, merchantId, now)).count,
  },
  { text: 'today', icon: 'payments', pages: ['/dashboard/counter/today'], unless: 'business.read' },
  {
    text: 'reports',
    icon: 'reports',
    pages: ['/dashboard/reports', '/dashboard/orders/register'],
    covers: ['/dashboard/statement', '/dashboard/orders/archives'],
  },
  {
    text: 'shop',
    icon: 'shop',
    pages: ['/dashboard/shop', '/dashboard/settings'],
    covers: [
      '/dashboard/upi-accounts',
      '/dashboard/mailbox',
      '/dashboard/team',
      '/dashboard/audit',
      '/dashboard/plan',
      '/dashboard/integrations',
      '/dashboard/webhooks',
      '/dashboard/notices/choices',
      '/dashboard/notices/devices',
      '/dashboard/privacy',
    ],
  },
  { text: 'operator', icon: 'shop', pages: ['/dashboard/operator'] },
  {
    text: 'operatorHealth',
    icon: 'health',
    pages: ['/dashboard/operator/health'],
    covers: ['/dashboard/operator/watch'],
    waiting: ({ sql }) => countOpenReports(sql),
  },
  {
    text: 'operatorBanks',
    icon: 'bank',
    pages: ['/dashboard/operator/banks'],
    covers: ['/dashboard/operator/workshop'],
    waiting: ({ sql }) => countOpenLines(sql),
  },
  {
    text: 'operatorPlans',
    icon: 'plan',
    pages: ['/dashboard/operator/plans'],
    covers: ['/dashboard/operator/sales'],
  },
  { text: 'operatorLog', icon: 'log', pages: ['/dashboard/operator/audit'] },
];
