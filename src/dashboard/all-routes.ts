import type { DashboardRoute } from './route.ts';
import { accountRoutes } from './screens/account.ts';
import { accountPasskeyRoutes } from './screens/account-passkeys.ts';
import { accountPasswordRoutes } from './screens/account-password.ts';
import { accountSessionRoutes } from './screens/account-sessions.ts';
import { accountTwoStepRoutes } from './screens/account-two-step.ts';
import { auditRoutes } from './screens/audit.ts';
import { confirmRoutes } from './screens/confirm.ts';
import { connectScreenRoutes } from './screens/connect.ts';
import { deleteBusinessRoutes } from './screens/delete-business.ts';
import { joinRoutes } from './screens/join.ts';
import { recoverRoutes } from './screens/recover.ts';
import { screenRoutes } from './screens/screen-routes.ts';
import { settingsRoutes } from './screens/settings.ts';
import { signInRoutes } from './screens/sign-in.ts';
import { signInStepRoutes } from './screens/sign-in-steps.ts';
import { signOutRoutes } from './screens/sign-out.ts';
import { signUpRoutes } from './screens/sign-up.ts';
import { teamRoutes } from './screens/team.ts';
import { teamInvitationRoutes } from './screens/team-invitations.ts';
import { teamMemberRoutes } from './screens/team-member.ts';

/** Every page of the dashboard. The permission test walks this list; a page that is not in it does not exist. */
export const allRoutes: readonly DashboardRoute[] = [
  // Signing in, and one's own account.
  ...signInRoutes,
  ...signInStepRoutes,
  ...signUpRoutes,
  ...recoverRoutes,
  ...joinRoutes,
  ...signOutRoutes,
  ...confirmRoutes,
  ...accountRoutes,
  ...accountPasswordRoutes,
  ...accountTwoStepRoutes,
  ...accountPasskeyRoutes,
  ...accountSessionRoutes,
  // The business.
  ...screenRoutes,
  ...connectScreenRoutes,
  ...teamRoutes,
  ...teamInvitationRoutes,
  ...teamMemberRoutes,
  ...settingsRoutes,
  ...deleteBusinessRoutes,
  ...auditRoutes,
];
