import type { DashboardRoute } from '../route.ts';
import { firstStepsRoutes } from './first-steps/routes.ts';
import { holdNearMissesRoutes } from './hold-near-misses.ts';
import { homeRoutes } from './home/routes.ts';
import { integrationsRoutes } from './integrations/routes.ts';
import { mailboxRoutes } from './mailbox/routes.ts';
import { moneyRoutes } from './money/routes.ts';
import { noticesRoutes } from './notices/routes.ts';
import { operatorRoutes } from './operator/routes.ts';
import { operatorBanksRoutes } from './operator-banks/routes.ts';
import { ordersRoutes } from './orders/routes.ts';
import { planRoutes } from './plan/routes.ts';
import { statementRoutes } from './statement/routes.ts';
import { tillScreenRoutes } from './till/routes.ts';
import { upiAccountsRoutes } from './upi-accounts/routes.ts';
import { webhooksRoutes } from './webhooks/routes.ts';

/** The screens on which a business runs its shop, and those of the operator. */
export const screenRoutes: readonly DashboardRoute[] = [
  ...homeRoutes,
  ...firstStepsRoutes,
  ...tillScreenRoutes,
  ...ordersRoutes,
  ...moneyRoutes,
  ...statementRoutes,
  ...upiAccountsRoutes,
  ...mailboxRoutes,
  ...integrationsRoutes,
  ...webhooksRoutes,
  ...holdNearMissesRoutes,
  ...noticesRoutes,
  ...planRoutes,
  ...operatorRoutes,
  ...operatorBanksRoutes,
];
