import { html } from '../../base/http/html.ts';
import { isOpenToAll } from '../../base/settings/config-operator.ts';
import type { World } from '../../base/world.ts';
import { addressGuess, forgive, mayGuess } from '../../business/accounts/guesses.ts';
import { passkeySite } from '../../business/accounts/passkey-site.ts';
import { selectUser } from '../../business/accounts/queries/users.ts';
import { findSession } from '../../business/accounts/session.ts';
import { completeSignIn, signIn, signInWithCode } from '../../business/accounts/sign-in.ts';
import { firstOf } from '../../business/accounts/taken-names.ts';
import { offerPasskey, verifyPasskey } from '../../business/accounts/verify-passkey.ts';
import { codeField, emailField, passwordField } from '../account/account-fields.ts';
import { hidden, passkeyForm, postForm, readJsonField } from '../frame/controls.ts';
import { card, note, screen } from '../frame/parts.ts';
import { type Answer, get, nextPath, notFound, type OpenVisit, post, redirect } from '../frame/route.ts';

const path = '/dashboard/sign-in';

export const signInRoutes = [
  get(path, 'anyone', async (world, visit) => {
    const session = await findSession(world, visit.cookie);
    if (session?.stage === 'full') return redirect(nextPath(visit.query, homeOf(session.role)));
    const said = new Map([
      ['chosen', visit.texts.account.passwordChosen],
      ['again', visit.texts.account.startAgain],
    ]);
    return signInPage(world, visit, { said: said.get(visit.query.text('said')) });
  }),
  post(path, 'anyone', async (world, visit) => {
    const { form, texts, address, agent } = visit;
    const email = form.text('email');
    const result = await signIn(world, { email, password: form.raw('password'), address, agent });
    if (result.outcome === 'too_many')
      return signInPage(world, visit, { error: texts.account.tooManyTries, status: 429 });
    if (result.outcome === 'refused')
      return signInPage(world, visit, { error: texts.account.wrongSignIn, status: 401 });
    const next = nextPath(form, homeOf(result.role));
    const to = result.outcome === 'code' ? `${path}/code?next=${encodeURIComponent(next)}` : next;
    return { kind: 'redirect', to, session: { token: result.token } };
  }),
  get(`${path}/code`, 'anyone', async (_world, visit) => codePage(visit)),
  post(`${path}/code`, 'anyone', async (world, visit) => {
    const { cookie, form, address, agent, texts } = visit;
    const result = await signInWithCode(world, { cookie, code: form.text('code'), address, agent });
    if (result.outcome === 'start_again') return redirect(`${path}?said=again`);
    if (result.outcome === 'too_many') return codePage(visit, texts.account.tooManyTries, 429);
    if (result.outcome === 'refused') return codePage(visit, texts.account.codeWrong, 401);
    return { kind: 'redirect', to: nextPath(form, homeOf(result.role)), session: { token: result.token } };
  }),
  post(`${path}/passkey/options`, 'anyone', async (world, { address }) => {
    // Each guess needs an offer. Counting the offers therefore limits the guesses and the table of challenges.
    if (!(await mayGuess(firstOf(world), [addressGuess(address)])))
      return { kind: 'json', value: null, status: 429 };
    const value = await offerPasskey(world, { purpose: 'sign_in' });
    return value ? { kind: 'json', value } : notFound();
  }),
  post(`${path}/passkey`, 'anyone', async (world, visit) => {
    const { form, address, agent, texts } = visit;
    const passkey = await verifyPasskey(world, { purpose: 'sign_in' }, readJsonField(form, 'response'));
    const home = passkey ? (world.cells?.of(passkey.merchant_id) ?? world) : world;
    const user =
      passkey && (await selectUser(home.sql, { merchantId: passkey.merchant_id, userId: passkey.user_id }));
    if (!user) return signInPage(world, visit, { error: texts.account.passkeyWrong, status: 401 });
    await forgive(firstOf(world), [addressGuess(address)]);
    const token = await completeSignIn(home, user, { address, agent });
    return { kind: 'redirect', to: nextPath(form, homeOf(user.role)), session: { token } };
  }),
];

/** The first screen of a person who requested no other. */
export function homeOf(role: string): string {
  if (role === 'cashier') return '/dashboard/counter';
  return role === 'operator' ? '/dashboard/operator' : '/dashboard';
}

type Shown = { error?: string; said?: string | undefined; status?: number };

function signInPage(
  { config, baseUrl }: Pick<World, 'config' | 'baseUrl'>,
  visit: OpenVisit,
  { error, said, status = 200 }: Shown,
): Answer {
  const { account } = visit.texts;
  const next = nextPath(visit.form.has('next') ? visit.form : visit.query, '');
  const fields = [hidden({ next }), emailField(visit, error), passwordField(visit.texts)];
  const passkey = passkeyForm({
    action: `${path}/passkey`,
    options: `${path}/passkey/options`,
    kind: 'get',
    submit: account.passkeySignIn,
    fields: hidden({ next }),
  });
  return screen(account.signIn, { status })`${said !== undefined && note(said, 'good')}
${card(html`${postForm(path, account.signIn, fields)}
${passkeySite(baseUrl) && passkey}
<p><a href="/dashboard/recover">${account.forgotten}</a></p>
${isOpenToAll(config) && html`<p>${account.noAccount} <a href="/dashboard/sign-up${next && `?next=${encodeURIComponent(next)}`}">${account.signUpTitle}</a></p>`}`)}`;
}

function codePage(visit: OpenVisit, error?: string, status = 200): Answer {
  const { account, shell } = visit.texts;
  const next = nextPath(visit.form.has('next') ? visit.form : visit.query, '');
  const fields = [hidden({ next }), codeField(visit.texts, error, true)];
  const cancel = { href: path, text: shell.cancel };
  return screen(account.codeTitle, { status })`
${card(postForm(`${path}/code`, account.goOn, fields, { cancel }))}`;
}
