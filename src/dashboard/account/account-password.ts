import { html } from '../../base/http/html.ts';
import { hashPassword } from '../../business/accounts/password.ts';
import { deleteLinksOfUser } from '../../business/accounts/queries/links.ts';
import { deleteSessionsOf } from '../../business/accounts/queries/sessions.ts';
import { writePassword } from '../../business/accounts/queries/users.ts';
import { because } from '../../texts/verdicts.ts';
import { postForm } from '../frame/controls.ts';
import { card, screen } from '../frame/parts.ts';
import { makeChange } from '../frame/record-change.ts';
import { type Answer, fresh, get, post, redirect, type Visit } from '../frame/route.ts';
import { newPasswordField, passwordError } from './account-fields.ts';

export const accountPasswordRoutes = [
  get('/dashboard/account/password', fresh('self'), async (_world, visit) => passwordPage(visit)),
  post('/dashboard/account/password', fresh('self'), async (world, visit) => {
    const { merchantId, user, session, form, texts } = visit;
    const password = form.raw('password');
    const error = passwordError(texts, password, user.email);
    if (error) return passwordPage(visit, error, 400);
    const passwordHash = await hashPassword(password);
    await makeChange(world, visit, async tx => {
      await writePassword(tx, user, passwordHash);
      await deleteSessionsOf(tx, merchantId, user.userId, { except: session.sessionId });
      await deleteLinksOfUser(tx, merchantId, user.userId);
      const notice = because('password_changed', { email: user.email });
      return { action: 'password.change', subject: user.email, notice };
    });
    return redirect('/dashboard/account', texts.account.passwordChanged);
  }),
];

function passwordPage({ texts, user }: Visit, error?: string, status = 200): Answer {
  const { account, shell } = texts;
  const form = postForm({
    action: '/dashboard/account/password',
    fields: [
      html`<input type="hidden" autocomplete="username" value="${user.email}">`,
      newPasswordField(texts, error),
    ],
    submit: account.passwordChange,
    cancel: { href: '/dashboard/account', text: shell.cancel },
  });
  return screen(account.passwordChange, { text: account.passwordText, status })`${card(form)}`;
}
