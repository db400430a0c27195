import { deleteSession } from '../../accounts/queries/sessions.ts';
import type { DashboardRoute } from '../route.ts';

export const signOutRoutes: DashboardRoute[] = [
  {
    method: 'POST',
    path: '/dashboard/sign-out',
    permission: 'self',
    async handle({ sql }, { merchantId, user, session }) {
      await sql.begin(tx => deleteSession(tx, merchantId, user.userId, session.sessionId));
      return { kind: 'redirect', to: '/dashboard/sign-in', session: 'end' };
    },
  },
];
