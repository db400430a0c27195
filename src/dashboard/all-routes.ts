import { accountRoutes } from './account/account.ts';
import { accountFactorRoutes } from './account/account-factors.ts';
import { counterScreenRoutes } from './counter/routes.ts';
import { firstStepsRoutes } from './first-steps/routes.ts';
import type { DashboardRoute } from './frame/route.ts';
import { homeRoutes } from './home/routes.ts';
import { connectScreenRoutes } from './integrations/connect.ts';
import { integrationsRoutes } from './integrations/routes.ts';
import { mailboxRoutes } from './mailbox/routes.ts';
import { notificationsRoutes } from './notices/choices.ts';
import { noticesRoutes } from './notices/routes.ts';
import { oneOrderRoutes } from './one-order/routes.ts';
import { operatorBanksRoutes } from './operator/banks.ts';
import { operatorRoutes } from './operator/routes.ts';
import { paymentsRoutes } from './payments/routes.ts';
import { planRoutes } from './plan/routes.ts';
import { privacyRoutes } from './privacy/routes.ts';
import { reportsRoutes } from './reports/routes.ts';
import { searchRoutes } from './search/routes.ts';
import { auditRoutes } from './shop/audit.ts';
import { shopRoutes } from './shop/routes.ts';
import { confirmRoutes } from './sign-in/confirm.ts';
import { recoverRoutes } from './sign-in/recover.ts';
import { signInRoutes } from './sign-in/sign-in.ts';
import { signUpRoutes } from './sign-in/sign-up.ts';
import { statementRoutes } from './statement/routes.ts';
import { joinRoutes } from './team/join.ts';
import { teamMemberRoutes } from './team/member.ts';
import { teamRoutes } from './team/team.ts';
import { upiAccountsRoutes } from './upi-accounts/routes.ts';
import { webhooksRoutes } from './webhooks/routes.ts';

/** Every page of the dashboard. A page that is missing here is not served; the permission test walks this list. */
export const allRoutes: readonly DashboardRoute[] = [
  // Signing in, and the person's own account.
  ...signInRoutes,
  ...signUpRoutes,
  ...recoverRoutes,
  ...joinRoutes,
  ...confirmRoutes,
  ...accountRoutes,
  ...accountFactorRoutes,
  // Screens for running the shop, and the operator's screens.
  ...homeRoutes,
  ...searchRoutes,
  ...firstStepsRoutes,
  ...counterScreenRoutes,
  ...reportsRoutes,
  ...oneOrderRoutes,
  ...paymentsRoutes,
  ...statementRoutes,
  ...upiAccountsRoutes,
  ...mailboxRoutes,
  ...integrationsRoutes,
  ...webhooksRoutes,
  ...noticesRoutes,
  ...notificationsRoutes,
  ...planRoutes,
  ...operatorRoutes,
  ...operatorBanksRoutes,
  // Screens about the business itself.
  ...connectScreenRoutes,
  ...teamRoutes,
  ...teamMemberRoutes,
  ...shopRoutes,
  ...privacyRoutes,
  ...auditRoutes,
];
