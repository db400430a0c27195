import { countOpenLines } from '../alerts/judging/queries/held-lines.ts';
import { countUnseen } from '../outbox/notices/queries.ts';
import { countGivenUp } from '../outbox/webhooks/queries/read.ts';
import { selectPaid } from './first-steps/queries.ts';
import { mostShown, type NavigationItem } from './frame/navigation-item.ts';
import { sumMoneyToDo } from './money/queries/money.ts';
import { countOpenReports } from './operator/queries/watch.ts';

/** The menu, in its order. An item is shown to whoever may open it, once its page is declared. */
export const navigation: readonly NavigationItem[] = [
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
