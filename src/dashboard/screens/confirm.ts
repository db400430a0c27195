import { passwordIsRight } from '../../accounts/confirm-person.ts';
import { passkeySite } from '../../accounts/passkey-site.ts';
import { listPasskeys } from '../../accounts/queries/passkeys.ts';
import { markConfirmed } from '../../accounts/queries/sessions.ts';
import { offerPasskey, verifyPasskey } from '../../accounts/verify-passkey.ts';
import { html } from '../../http/html.ts';
import type { World } from '../../world.ts';
import { card } from '../components/card.ts';
import { field } from '../components/field.ts';
import { postForm } from '../components/form.ts';
import { pageHead } from '../components/page-head.ts';
import { passkeyForm } from '../components/passkey-form.ts';
import { nextPath } from '../next-path.ts';
import { readJsonField } from '../read-json-field.ts';
import { type Answer, type DashboardRoute, notFound, page, redirect, type Visit } from '../route.ts';

/** The fresh sign-in before what is dangerous. */
export const confirmRoutes: DashboardRoute[] = [
  {
    method: 'GET',
    path: '/dashboard/confirm',
    permission: 'self',
    handle: (world, visit) => confirmPersonPage(world, visit),
  },
  {
    method: 'POST',
    path: '/dashboard/confirm',
    permission: 'self',
    async handle(world, visit) {
      const { merchantId, user, form, address, texts } = visit;
      const result = await passwordIsRight(world, {
        merchantId,
        ...user,
        password: form.raw('password'),
        address,
      });
      if (result === 'too_many')
        return await confirmPersonPage(world, visit, texts.account.tooManyTries, 429);
      if (result === 'wrong') return await confirmPersonPage(world, visit, texts.account.wrongPassword, 401);
      return await confirmed(world, visit);
    },
  },
  {
    method: 'POST',
    path: '/dashboard/confirm/passkey/options',
    permission: 'self',
    async handle(world, { merchantId, user: { userId } }) {
      const value = await offerPasskey(world, { purpose: 'confirm', merchantId, userId });
      return value ? { kind: 'json', value } : notFound();
    },
  },
  {
    method: 'POST',
    path: '/dashboard/confirm/passkey',
    permission: 'self',
    async handle(world, visit) {
      const { merchantId, user, form, texts } = visit;
      const purpose = { purpose: 'confirm' as const, merchantId, userId: user.userId };
      const passkey = await verifyPasskey(world, purpose, readJsonField(form, 'response'));
      if (!passkey) return await confirmPersonPage(world, visit, texts.account.passkeyWrong, 401);
      return await confirmed(world, visit);
    },
  },
];

async function confirmed({ sql }: World, { merchantId, session, now, form }: Visit): Promise<Answer> {
  await markConfirmed(sql, merchantId, session.sessionId, now);
  return redirect(nextPath(form));
}

async function confirmPersonPage(
  { sql, baseUrl }: World,
  visit: Visit,
  error?: string,
  status = 200,
): Promise<Answer> {
  const { texts, merchantId, user } = visit;
  const { account, shell } = texts;
  const next = nextPath(visit.form.has('next') ? visit.form : visit.query);
  const hasPasskey = passkeySite(baseUrl) && (await listPasskeys(sql, merchantId, user.userId)).length > 0;
  const fields = [
    html`<input type="hidden" name="next" value="${next}"><input type="hidden" autocomplete="username" value="${user.email}">`,
    field({
      name: 'password',
      label: account.password,
      type: 'password',
      autocomplete: 'current-password',
      required: true,
      autofocus: true,
      error,
    }),
  ];
  const passkey = passkeyForm({
    action: '/dashboard/confirm/passkey',
    options: '/dashboard/confirm/passkey/options',
    kind: 'get',
    submit: account.confirmPasskey,
    values: { next },
  });
  const cancel = { href: '/dashboard/account', text: shell.cancel };
  const form = postForm({ action: '/dashboard/confirm', fields, submit: account.goOn, cancel });
  const body = html`${pageHead(account.confirmTitle, { text: account.confirmText })}
${card(html`${form}${hasPasskey && passkey}`)}`;
  return page({ title: account.confirmTitle, status, body });
}
