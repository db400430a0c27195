import { countOpenLines } from '../../alerts/banks/queries/held-lines.ts';
import type { World } from '../../base/world.ts';
import type { Permission } from '../../business/accounts/may-do.ts';
import { countUnseen } from '../../outbox/notices/queries.ts';
import { countGivenUp } from '../../outbox/webhooks/queries/read.ts';
import type { Texts } from '../../texts/languages.ts';
import { hasPaidOrder } from '../first-steps/queries.ts';
import { sumMoneyToDo } from '../money/queries/money.ts';
import type { Visit } from './route.ts';

type Ask<T> = (world: Pick<World, 'sql'>, visit: Pick<Visit, 'merchantId' | 'now'>) => Promise<T>;

export type NavigationItem = {
  path: `/dashboard${string}`;
  text: keyof Texts['shell']['navigation'];
  permission: Permission;
  /** Whose work it is: the shop's every day, what it set up once, its developer's, the operator's. */
  group: 'shop' | 'business' | 'developer' | 'operator';
  /** How much waits there for whoever opens it; shown where it is not nothing. */
  waiting?: Ask<number>;
  /** Once this is so it leaves the menu; its page stays. */
  isOver?: Ask<boolean>;
};

/** Beyond this a menu says no more than that there is much. */
export const mostShown = 99;

/** The menu, in its order. An item is shown to whoever may open it, once its page is declared. */
export const navigation: readonly NavigationItem[] = [
  { path: '/dashboard', text: 'home', permission: 'business.read', group: 'shop' },
  {
    path: '/dashboard/first-steps',
    text: 'firstSteps',
    permission: 'business.read',
    group: 'shop',
    isOver: ({ sql }, { merchantId }) => hasPaidOrder(sql, merchantId),
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
    path: '/dashboard/operator/banks',
    text: 'operatorBanks',
    permission: 'operator',
    group: 'operator',
    waiting: ({ sql }) => countOpenLines(sql),
  },
  { path: '/dashboard/operator/plans', text: 'operatorPlans', permission: 'operator', group: 'operator' },
  { path: '/dashboard/operator/workshop', text: 'workshop', permission: 'operator', group: 'operator' },
  { path: '/dashboard/operator/audit', text: 'audit', permission: 'operator', group: 'operator' },
];
