import { type Html, html } from '../../base/http/html.ts';
import type { World } from '../../base/world.ts';
import { type Confirmation, confirmPerson, hasPasskey } from '../../business/accounts/confirm-person.ts';
import { markConfirmed } from '../../business/accounts/queries/sessions.ts';
import { offerPasskey, verifyPasskey } from '../../business/accounts/verify-passkey.ts';
import { codeField, passwordField } from '../account/account-fields.ts';
import { hidden, passkeyForm, plainLink, postButton, postForm, readJsonField } from '../frame/controls.ts';
import { card, note, screen } from '../frame/parts.ts';
import { type Answer, get, nextPath, notFound, post, redirect, type Visit } from '../frame/route.ts';

export const confirmRoutes = [
  get('/dashboard/confirm', 'self', confirmPersonPage),
  post('/dashboard/confirm', 'self', async (world, visit) => {
    const { user, form, address } = visit;
    const result = await confirmPerson(world, user, {
      email: user.email,
      password: form.raw('password'),
      code: form.text('code'),
      address,
    });
    if (result !== 'right') return await confirmPersonPage(world, visit, result);
    return await confirmed(world, visit);
  }),
  post('/dashboard/confirm/passkey/options', 'self', async (world, { user }) => {
    const value = await offerPasskey(world, { ...user, purpose: 'confirm' });
    return value ? { kind: 'json', value } : notFound();
  }),
  post('/dashboard/confirm/passkey', 'self', async (world, visit) => {
    const { user, form } = visit;
    const purpose = { ...user, purpose: 'confirm' as const };
    const passkey = await verifyPasskey(world, purpose, readJsonField(form, 'response'));
    if (!passkey) return await confirmPersonPage(world, visit, 'wrong_passkey');
    return await confirmed(world, visit);
  }),
];

async function confirmed({ sql }: World, { session, now, form }: Visit): Promise<Answer> {
  await markConfirmed(sql, session, now);
  return redirect(nextPath(form));
}

type Fault = Exclude<Confirmation, 'right'> | 'wrong_passkey';

/** The password, and a code if two-step sign-in is on; or a passkey, which replaces both. */
async function confirmPersonPage(world: World, visit: Visit, fault?: Fault): Promise<Answer> {
  const { texts, user } = visit;
  const { account, shell } = texts;
  const next = nextPath(visit.form.has('next') ? visit.form : visit.query);
  const offered = await hasPasskey(world, user);
  const only = offered && !user.hasTotp;
  const cancel = { href: '/dashboard/account', text: shell.cancel };
  const fields = confirmFields(visit, next, fault);
  const form = postForm('/dashboard/confirm', account.goOn, fields, { cancel });
  const passkey = passkeyForm({
    action: '/dashboard/confirm/passkey',
    options: '/dashboard/confirm/passkey/options',
    kind: 'get',
    submit: account.confirmPasskey,
    main: only,
    fields: hidden({ next }),
  });
  const instead = html`${fault === 'wrong_passkey' && note(account.passkeyWrong)}${passkey}
<p class="quiet">${account.confirmElse}</p><div class="actions">${postButton('/dashboard/sign-out', shell.signOut)}${plainLink(cancel.href, cancel.text)}</div>`;
  const status = fault === undefined ? 200 : fault === 'too_many' ? 429 : 401;
  return screen(account.confirmTitle, { ...(!only && { text: account.confirmText }), status })`
${card(only ? instead : html`${form}${offered && passkey}`)}`;
}

function confirmFields({ texts, user }: Visit, next: string, fault?: Fault): Html[] {
  const { account } = texts;
  const errors: Partial<Record<Fault, string>> = {
    wrong_password: account.wrongPassword,
    wrong_passkey: account.passkeyWrong,
    too_many: account.tooManyTries,
  };
  const password = passwordField(texts, fault && errors[fault], true);
  const code = codeField(texts, fault === 'wrong_code' ? account.codeWrong : undefined);
  const sent = html`${hidden({ next })}<input type="hidden" autocomplete="username" value="${user.email}">`;
  return user.hasTotp ? [sent, password, code] : [sent, password];
}
