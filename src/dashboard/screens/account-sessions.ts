import { deleteSession, deleteSessionsOf } from '../../accounts/queries/sessions.ts';
import { recordChange } from '../record-change.ts';
import { notFound, post, redirect } from '../route.ts';

export const accountSessionRoutes = [
  post('/dashboard/account/sessions/end-others', 'self', async ({ sql }, visit) => {
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
  }),
  post('/dashboard/account/sessions/:sessionId/end', 'self', async ({ sql }, visit) => {
    const { merchantId, user, params, texts } = visit;
    const sessionId = params['sessionId']!;
    const ended = await sql.begin(async tx => {
      if (!(await deleteSession(tx, merchantId, user.userId, sessionId))) return false;
      await recordChange(tx, visit, { action: 'session.end', subject: sessionId });
      return true;
    });
    return ended ? redirect('/dashboard/account', texts.account.sessionEnded) : notFound();
  }),
  post('/dashboard/sign-out', 'self', async ({ sql }, { merchantId, user, session }) => {
    await sql.begin(tx => deleteSession(tx, merchantId, user.userId, session.sessionId));
    return { kind: 'redirect', to: '/dashboard/sign-in', session: 'end' };
  }),
];
