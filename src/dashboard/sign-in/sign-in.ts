import { html } from '../../base/http/html.ts';
import { isOpenToAll } from '../../base/settings/config-operator.ts';
import type { World } from '../../base/world.ts';
import { passkeySite } from '../../business/accounts/passkey-site.ts';
import { findSession } from '../../business/accounts/session.ts';
import { signIn } from '../../business/accounts/sign-in.ts';
import { emailField, passwordField } from '../account/account-fields.ts';
import { hidden, passkeyForm, postForm } from '../frame/controls.ts';
import { card, note } from '../frame/parts.ts';
import { type Answer, get, nextPath, type OpenVisit, page, post, redirect } from '../frame/route.ts';

export const signInRoutes = [
  get('/dashboard/sign-in', 'anyone', async (world, visit) => {
    const session = await findSession(world, visit.cookie);
    if (session?.stage === 'full') return redirect(nextPath(visit.query, homeOf(session.role)));
    const said = new Map([
      ['chosen', visit.texts.account.passwordChosen],
      ['again', visit.texts.account.startAgain],
    ]);
    return signInPage(world, visit, { said: said.get(visit.query.text('said')) });
  }),
  post('/dashboard/sign-in', 'anyone', async (world, visit) => {
    const { form, texts, address, agent } = visit;
    const email = form.text('email');
    const result = await signIn(world, { email, password: form.raw('password'), address, agent });
    if (result.outcome === 'too_many')
      return signInPage(world, visit, { error: texts.account.tooManyTries, status: 429 });
    if (result.outcome === 'refused')
      return signInPage(world, visit, { error: texts.account.wrongSignIn, status: 401 });
    const next = nextPath(form, homeOf(result.role));
    const to = result.outcome === 'code' ? `/dashboard/sign-in/code?next=${encodeURIComponent(next)}` : next;
    return { kind: 'redirect', to, session: { token: result.token } };
  }),
];

/** The first screen of a person who requested no other. */
export function homeOf(role: string): string {
  if (role === 'cashier') return '/dashboard/counter';
  return role === 'operator' ? '/dashboard/operator' : '/dashboard';
}

type Shown = { error?: string | undefined; said?: string | undefined; status?: number };

export function signInPage(
  { config, baseUrl }: Pick<World, 'config' | 'baseUrl'>,
  visit: OpenVisit,
  { error, said, status = 200 }: Shown,
): Answer {
  const { account } = visit.texts;
  const next = nextPath(visit.form.has('next') ? visit.form : visit.query, '');
  const fields = [hidden({ next }), emailField(visit, error), passwordField(visit.texts)];
  const passkey = passkeyForm({
    action: '/dashboard/sign-in/passkey',
    options: '/dashboard/sign-in/passkey/options',
    kind: 'get',
    submit: account.passkeySignIn,
    fields: hidden({ next }),
  });
  const body = html`<h1>${account.signIn}</h1>
${said !== undefined && note(said, 'good')}
${card(html`${postForm('/dashboard/sign-in', account.signIn, fields)}
${passkeySite(baseUrl) && passkey}
<p><a href="/dashboard/recover">${account.forgotten}</a></p>
${isOpenToAll(config) && html`<p>${account.noAccount} <a href="/dashboard/sign-up${next && `?next=${encodeURIComponent(next)}`}">${account.signUpTitle}</a></p>`}`)}`;
  return page({ title: account.signIn, status, body });
}
