import type { DashboardRoute } from './route.ts';
import { accountRoutes } from './screens/account.ts';
import { accountPasskeyRoutes } from './screens/account-passkeys.ts';
import { accountPasswordRoutes } from './screens/account-password.ts';
import { accountTwoStepRoutes } from './screens/account-two-step.ts';
import { auditRoutes } from './screens/audit.ts';
import { confirmRoutes } from './screens/confirm.ts';
import { connectScreenRoutes } from './screens/connect.ts';
import { firstStepsRoutes } from './screens/first-steps/routes.ts';
import { holdNearMissesRoutes } from './screens/hold-near-misses.ts';
import { homeRoutes } from './screens/home/routes.ts';
import { integrationsRoutes } from './screens/integrations/routes.ts';
import { joinRoutes } from './screens/join.ts';
import { mailboxRoutes } from './screens/mailbox/routes.ts';
import { moneyRoutes } from './screens/money/routes.ts';
import { noticesRoutes } from './screens/notices/routes.ts';
import { operatorRoutes } from './screens/operator/routes.ts';
import { operatorBanksRoutes } from './screens/operator-banks/routes.ts';
import { ordersRoutes } from './screens/orders/routes.ts';
import { planRoutes } from './screens/plan/routes.ts';
import { recoverRoutes } from './screens/recover.ts';
import { settingsRoutes } from './screens/settings.ts';
import { signInRoutes } from './screens/sign-in.ts';
import { signInStepRoutes } from './screens/sign-in-steps.ts';
import { signUpRoutes } from './screens/sign-up.ts';
import { statementRoutes } from './screens/statement/routes.ts';
import { teamRoutes } from './screens/team.ts';
import { teamInvitationRoutes } from './screens/team-invitations.ts';
import { teamMemberRoutes } from './screens/team-member.ts';
import { tillScreenRoutes } from './screens/till/routes.ts';
import { upiAccountsRoutes } from './screens/upi-accounts/routes.ts';
import { webhooksRoutes } from './screens/webhooks/routes.ts';

/** Every page of the dashboard. The permission test walks this list; a page that is not in it does not exist. */
export const allRoutes: readonly DashboardRoute[] = [
  // Signing in, and one's own account.
  ...signInRoutes,
  ...signInStepRoutes,
  ...signUpRoutes,
  ...recoverRoutes,
  ...joinRoutes,
  ...confirmRoutes,
  ...accountRoutes,
  ...accountPasswordRoutes,
  ...accountTwoStepRoutes,
  ...accountPasskeyRoutes,
  // The screens on which a business runs its shop, and those of the operator.
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
  // The business itself.
  ...connectScreenRoutes,
  ...teamRoutes,
  ...teamInvitationRoutes,
  ...teamMemberRoutes,
  ...settingsRoutes,
  ...auditRoutes,
];
