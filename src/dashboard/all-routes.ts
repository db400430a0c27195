import type { DashboardRoute } from './route.ts';
import { homeRoutes } from './screens/home.ts';
import { signInRoutes } from './screens/sign-in.ts';
import { signOutRoutes } from './screens/sign-out.ts';

/** Every page of the dashboard. The permission test walks this list; a page that is not in it does not exist. */
export const allRoutes: readonly DashboardRoute[] = [
  // Signing in, and one's own account.
  ...signInRoutes,
  ...signOutRoutes,
  // The business.
  ...homeRoutes,
];
