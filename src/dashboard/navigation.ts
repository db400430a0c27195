import type { Permission } from '../accounts/may-do.ts';
import { countOpenLines } from '../alerts/queries/held-lines.ts';
import type { Texts } from '../texts/languages.ts';
import type { World } from '../world.ts';
import { sumMoneyToDo } from './queries/money.ts';
import type { Visit } from './route.ts';

export type NavigationItem = {
  path: `/dashboard${string}`;
  text: keyof Texts['shell']['navigation'];
  permission: Permission;
  /** Begins a new group. */
  apart?: true;
  /** How much waits there for whoever opens it; shown where it is not nothing. */
  waiting?: (world: Pick<World, 'sql'>, visit: Pick<Visit, 'merchantId' | 'now'>) => Promise<number>;
};

/** The menu, in its order. An item is shown to whoever may open it, once its page is declared. */
export const navigation: readonly NavigationItem[] = [
  { path: '/dashboard', text: 'home', permission: 'business.read' },
  { path: '/dashboard/first-steps', text: 'firstSteps', permission: 'business.read' },
  { path: '/dashboard/pay', text: 'newPayment', permission: 'payments.take' },
  { path: '/dashboard/counter', text: 'counter', permission: 'payments.take' },
  { path: '/dashboard/links', text: 'links', permission: 'links.change' },
  { path: '/dashboard/orders', text: 'orders', permission: 'business.read' },
  {
    path: '/dashboard/money',
    text: 'money',
    permission: 'business.read',
    waiting: async ({ sql }, { merchantId, now }) => (await sumMoneyToDo(sql, merchantId, now)).count,
  },
  { path: '/dashboard/statement', text: 'statement', permission: 'orders.export' },
  { path: '/dashboard/upi-accounts', text: 'upiAccounts', permission: 'business.read', apart: true },
  { path: '/dashboard/mailbox', text: 'mailbox', permission: 'business.read' },
  { path: '/dashboard/integrations', text: 'integrations', permission: 'business.read' },
  { path: '/dashboard/webhooks', text: 'webhooks', permission: 'business.read' },
  { path: '/dashboard/notices', text: 'notices', permission: 'business.read', apart: true },
  { path: '/dashboard/plan', text: 'plan', permission: 'business.read' },
  { path: '/dashboard/team', text: 'team', permission: 'business.read' },
  { path: '/dashboard/settings', text: 'settings', permission: 'business.read' },
  { path: '/dashboard/audit', text: 'audit', permission: 'audit.read' },
  { path: '/dashboard/operator', text: 'operator', permission: 'operator' },
  { path: '/dashboard/operator/health', text: 'operatorHealth', permission: 'operator' },
  {
    path: '/dashboard/operator/banks',
    text: 'operatorBanks',
    permission: 'operator',
    waiting: ({ sql }) => countOpenLines(sql),
  },
  { path: '/dashboard/operator/workshop', text: 'workshop', permission: 'operator' },
  { path: '/dashboard/operator/audit', text: 'audit', permission: 'operator' },
];
