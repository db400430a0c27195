import { deleteSession, deleteSessionsOf } from '../../accounts/queries/sessions.ts';
import { recordChange } from '../record-change.ts';
import { type DashboardRoute, notFound, redirect } from '../route.ts';

export const accountSessionRoutes: DashboardRoute[] = [
  {
    method: 'POST',
    path: '/dashboard/account/sessions/end-others',
    permission: 'self',
    async handle({ sql }, visit) {
      const { merchantId, user, session, texts } = visit;
      const count = await sql.begin(async tx => {
        const ended = await deleteSessionsOf(tx, merchantId, user.userId, { except: session.sessionId });
        await recordChange(tx, visit, {
          action: 'session.end_others',
          subject: user.email,
          details: String(ended),
        });
        return ended;
      });
      return redirect('/dashboard/account', texts.account.sessionsEnded(count));
    },
  },
  {
    method: 'POST',
    path: '/dashboard/account/sessions/:sessionId/end',
    permission: 'self',
    async handle({ sql }, visit) {
      const { merchantId, user, params, texts } = visit;
      const sessionId = params['sessionId']!;
      const ended = await sql.begin(async tx => {
        if (!(await deleteSession(tx, merchantId, user.userId, sessionId))) return false;
        await recordChange(tx, visit, { action: 'session.end', subject: sessionId });
        return true;
      });
      return ended ? redirect('/dashboard/account', texts.account.sessionEnded) : notFound();
    },
  },
];
