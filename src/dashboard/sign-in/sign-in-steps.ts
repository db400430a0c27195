import { html } from '../../base/http/html.ts';
import { addressGuess, forgive, mayGuess } from '../../business/accounts/guesses.ts';
import { selectUser } from '../../business/accounts/queries/users.ts';
import { completeSignIn, signInWithCode } from '../../business/accounts/sign-in.ts';
import { firstOf } from '../../business/accounts/taken-names.ts';
import { offerPasskey, verifyPasskey } from '../../business/accounts/verify-passkey.ts';
import { codeField } from '../account/account-fields.ts';
import { hidden, postForm, readJsonField } from '../frame/controls.ts';
import { card } from '../frame/parts.ts';
import {
  type Answer,
  get,
  nextPath,
  notFound,
  type OpenVisit,
  page,
  post,
  redirect,
} from '../frame/route.ts';
import { homeOf, signInPage } from './sign-in.ts';

/** The second factor after the password, and the passkey, which needs neither. */
export const signInStepRoutes = [
  get('/dashboard/sign-in/code', 'anyone', async (_world, visit) => codePage(visit)),
  post('/dashboard/sign-in/code', 'anyone', async (world, visit) => {
    const { cookie, form, address, agent, texts } = visit;
    const result = await signInWithCode(world, { cookie, code: form.text('code'), address, agent });
    switch (result.outcome) {
      case 'start_again':
        return redirect('/dashboard/sign-in?said=again');
      case 'too_many':
        return codePage(visit, texts.account.tooManyTries, 429);
      case 'refused':
        return codePage(visit, texts.account.codeWrong, 401);
      default:
        return {
          kind: 'redirect',
          to: nextPath(form, homeOf(result.role)),
          session: { token: result.token },
        };
    }
  }),
  post('/dashboard/sign-in/passkey/options', 'anyone', async (world, { address }) => {
    // Each guess needs an offer. Counting the offers therefore limits the guesses and the table of challenges.
    if (!(await mayGuess(firstOf(world), [addressGuess(address)])))
      return { kind: 'json', value: null, status: 429 };
    const value = await offerPasskey(world, { purpose: 'sign_in' });
    return value ? { kind: 'json', value } : notFound();
  }),
  post('/dashboard/sign-in/passkey', 'anyone', async (world, visit) => {
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

function codePage(visit: OpenVisit, error?: string, status = 200): Answer {
  const { account, shell } = visit.texts;
  const next = nextPath(visit.form.has('next') ? visit.form : visit.query, '');
  const fields = [hidden({ next }), codeField(visit.texts, error, true)];
  const cancel = { href: '/dashboard/sign-in', text: shell.cancel };
  const form = postForm('/dashboard/sign-in/code', account.goOn, fields, { cancel });
  return page({ title: account.codeTitle, status, body: html`<h1>${account.codeTitle}</h1>${card(form)}` });
}
