import { countOpenLines } from '../alerts/judging/queries/held-lines.ts';
import type { App } from '../base/http/app.ts';
import { serveFiles } from '../base/http/serve-files.ts';
import type { World } from '../base/world.ts';
import { countUnseen } from '../outbox/notices/queries.ts';
import { countGivenUp } from '../outbox/webhooks/queries/read.ts';
import { allRoutes } from './all-routes.ts';
import { proofWebhookPath } from './first-steps/create-proof-order.ts';
import { selectPaid } from './first-steps/queries.ts';
import type { DashboardFiles } from './frame/build-dashboard.ts';
import { mostShown, type NavigationItem } from './frame/layout.ts';
import { type DashboardRoute, get, notFound, type OpenVisit, redirect } from './frame/route.ts';
import { serveApp } from './frame/serve-app.ts';
import { serveRoute } from './frame/serve-route.ts';
import { sumMoneyToDo } from './money/queries/money.ts';
import { countOpenReports } from './operator/queries/watch.ts';

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
  // Receives the first-steps webhook for an owner without a server. It changes nothing and reveals nothing.
  app.post(proofWebhookPath, (_request, reply) => reply.code(204).send());
  // An unknown address, for people.
  serveRoute(
    app,
    world,
    dashboard,
    get('/dashboard/*', 'self', async () => notFound()),
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

/** The menu in its order. An item is shown to everybody who may open its page. */
const navigation: readonly NavigationItem[] = [
  { path: '/dashboard', text: 'home', permission: 'business.read', group: 'shop' },
  {
    path: '/dashboard/first-steps',
    text: 'firstSteps',
    permission: 'business.read',
    group: 'shop',
    isOver: async ({ sql }, { merchantId }) => (await selectPaid(sql, merchantId)).any,
  },
  { path: '/dashboard/pay', text: 'newPayment', permission: 'payments.take', group: 'shop' },
  { path: '/dashboard/counter', text: 'counter', permission: 'payments.take', group: 'shop' },
  { path: '/dashboard/links', text: 'links', permission: 'links.change', group: 'shop' },
  { path: '/dashboard/orders', text: 'orders', permission: 'business.read', group: 'shop' },
  {
    path: '/dashboard/money',
    text: 'money',
    permission: 'business.read',
    group: 'shop',
    waiting: async ({ sql }, { merchantId, now }) => (await sumMoneyToDo(sql, merchantId, now)).count,
  },
  { path: '/dashboard/statement', text: 'statement', permission: 'orders.export', group: 'shop' },
  {
    path: '/dashboard/notices',
    text: 'notices',
    permission: 'business.read',
    group: 'shop',
    waiting: ({ sql }, { merchantId }) => countUnseen(sql, merchantId),
  },
  { path: '/dashboard/upi-accounts', text: 'upiAccounts', permission: 'business.read', group: 'business' },
  { path: '/dashboard/mailbox', text: 'mailbox', permission: 'business.read', group: 'business' },
  { path: '/dashboard/plan', text: 'plan', permission: 'business.read', group: 'business' },
  { path: '/dashboard/team', text: 'team', permission: 'business.read', group: 'business' },
  { path: '/dashboard/settings', text: 'settings', permission: 'business.read', group: 'business' },
  { path: '/dashboard/audit', text: 'audit', permission: 'audit.read', group: 'business' },
  { path: '/dashboard/integrations', text: 'integrations', permission: 'business.read', group: 'developer' },
  {
    path: '/dashboard/webhooks',
    text: 'webhooks',
    permission: 'business.read',
    group: 'developer',
    waiting: ({ sql }, { merchantId }) => countGivenUp(sql, merchantId, mostShown + 1),
  },
  { path: '/dashboard/operator', text: 'operator', permission: 'operator', group: 'operator' },
  { path: '/dashboard/operator/health', text: 'operatorHealth', permission: 'operator', group: 'operator' },
  {
    path: '/dashboard/operator/watch',
    text: 'operatorWatch',
    permission: 'operator',
    group: 'operator',
    waiting: ({ sql }) => countOpenReports(sql),
  },
  {
    path: '/dashboard/operator/banks',
    text: 'operatorBanks',
    permission: 'operator',
    group: 'operator',
    waiting: ({ sql }) => countOpenLines(sql),
  },
  { path: '/dashboard/operator/plans', text: 'operatorPlans', permission: 'operator', group: 'operator' },
  { path: '/dashboard/operator/sales', text: 'operatorSales', permission: 'operator', group: 'operator' },
  { path: '/dashboard/operator/workshop', text: 'workshop', permission: 'operator', group: 'operator' },
  { path: '/dashboard/operator/audit', text: 'audit', permission: 'operator', group: 'operator' },
];
