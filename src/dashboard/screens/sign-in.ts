import { findSession } from '../../accounts/session.ts';
import { signIn } from '../../accounts/sign-in.ts';
import { html } from '../../http/html.ts';
import { card } from '../components/card.ts';
import { field } from '../components/field.ts';
import { postForm } from '../components/form.ts';
import { nextPath } from '../next-path.ts';
import { type Answer, type DashboardRoute, type OpenVisit, page, redirect } from '../route.ts';

export const signInRoutes: DashboardRoute[] = [
  {
    method: 'GET',
    path: '/dashboard/sign-in',
    permission: 'anyone',
    async handle(world, visit) {
      const session = await findSession(world, visit.cookie);
      if (session?.stage === 'full') return redirect(nextPath(visit.query));
      return signInPage(visit);
    },
  },
  {
    method: 'POST',
    path: '/dashboard/sign-in',
    permission: 'anyone',
    async handle(world, visit) {
      const { form, texts, address, agent } = visit;
      const email = form.text('email');
      const result = await signIn(world, { email, password: form.raw('password'), address, agent });
      if (result.outcome === 'too_many') return signInPage(visit, texts.account.tooManyTries, 429);
      if (result.outcome === 'refused') return signInPage(visit, texts.account.wrongSignIn, 401);
      const next = nextPath(form);
      const to =
        result.outcome === 'code' ? `/dashboard/sign-in/code?next=${encodeURIComponent(next)}` : next;
      return { kind: 'redirect', to, session: { token: result.token } };
    },
  },
];

function signInPage(visit: OpenVisit, error?: string, status = 200): Answer {
  const { account } = visit.texts;
  const next = nextPath(visit.form.has('next') ? visit.form : visit.query);
  const fields = [
    html`<input type="hidden" name="next" value="${next}">`,
    field({
      name: 'email',
      label: account.email,
      type: 'email',
      value: visit.form.text('email'),
      autocomplete: 'username webauthn',
      required: true,
      error,
    }),
    field({
      name: 'password',
      label: account.password,
      type: 'password',
      autocomplete: 'current-password',
      required: true,
    }),
  ];
  const form = postForm({ action: '/dashboard/sign-in', fields, submit: account.signIn });
  return page({ title: account.signIn, status, body: html`<h1>${account.signIn}</h1>${card(form)}` });
}
