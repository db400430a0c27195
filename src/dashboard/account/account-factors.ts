import type { Transaction } from '../../base/database/connect.ts';
import { html, trusted } from '../../base/http/html.ts';
import { readName } from '../../base/read-name.ts';
import type { World } from '../../base/world.ts';
import { passkeySite } from '../../business/accounts/passkey-site.ts';
import { hashPassword } from '../../business/accounts/password.ts';
import { removeTotp } from '../../business/accounts/queries/factors.ts';
import { deleteLinksOfUser } from '../../business/accounts/queries/links.ts';
import { deletePasskey, listPasskeys } from '../../business/accounts/queries/passkeys.ts';
import { deleteSessionsOf, unconfirmOthers } from '../../business/accounts/queries/sessions.ts';
import { writePassword } from '../../business/accounts/queries/users.ts';
import { offerRegistration, registerPasskey } from '../../business/accounts/register-passkey.ts';
import {
  beginTotp,
  finishTotp,
  pendingTotp,
  renewRecoveryCodes,
  totpUri,
} from '../../business/accounts/second-factor.ts';
import { qrSvg } from '../../orders/upi-link.ts';
import { because } from '../../texts/verdicts.ts';
import {
  confirmPage,
  copyable,
  dangerButton,
  dangerLink,
  field,
  linkButton,
  passkeyForm,
  plainLink,
  postButton,
  postForm,
  readJsonField,
} from '../frame/controls.ts';
import { card, moment, screen } from '../frame/parts.ts';
import { makeChange } from '../frame/record-change.ts';
import { type Answer, get, notFound, post, reauth, redirect, type Visit } from '../frame/route.ts';
import { rowList } from '../frame/rows.ts';
import { stillAllowed } from '../frame/still-allowed.ts';
import { describeAgent } from './account.ts';
import { newPasswordField, passwordError } from './account-fields.ts';

const twoStep = '/dashboard/account/two-step';
const passkeys = '/dashboard/account/passkeys';
const longestName = 60;

export const accountFactorRoutes = [
  get('/dashboard/account/password', reauth('self'), async (_world, visit) => passwordPage(visit)),
  post('/dashboard/account/password', reauth('self'), async (world, visit) => {
    const { merchantId, user, session, form, texts } = visit;
    const password = form.raw('password');
    const error = passwordError(texts, password, user.email);
    if (error) return passwordPage(visit, error, 400);
    const passwordHash = await hashPassword(password);
    await makeChange(world, visit, async tx => {
      await stillAllowed(tx, visit, 'self');
      await writePassword(tx, user, passwordHash);
      await deleteSessionsOf(tx, merchantId, user.userId, { except: session.sessionId });
      await deleteLinksOfUser(tx, merchantId, user.userId);
      const notice = because('password_changed', { email: user.email });
      return { action: 'password.change', subject: user.email, notice };
    });
    return redirect('/dashboard/account', texts.account.passwordChanged);
  }),
  get(twoStep, reauth('self'), setUpPage),
  post(`${twoStep}/begin`, reauth('self'), async (world, visit) => {
    await beginTotp(world, visit.user);
    return redirect(twoStep);
  }),
  post(twoStep, reauth('self'), async (world, visit) => {
    const { user, form, texts } = visit;
    const notice = because('two_step_on', { email: user.email });
    const audited = { action: 'two_step.on', subject: user.email, notice } as const;
    const finish = async (tx: Transaction) => {
      const made = await finishTotp(tx, world, user, form.text('code'));
      if (made !== null) await unconfirmOthers(tx, user, visit.session.sessionId);
      return made;
    };
    const codes = await makeChange(world, visit, finish, made => made && audited);
    if (codes === null) return await setUpPage(world, visit, texts.account.codeWrong, 400);
    return codesPage(visit, codes, texts.account.twoStepIsOn);
  }),
  get(`${twoStep}/off`, reauth('self'), async (_world, visit) => {
    const { account } = visit.texts;
    return confirmPage(visit, {
      title: account.twoStepOffTitle,
      consequences: account.twoStepOffConsequences,
      submit: account.twoStepTurnOff,
      back: '/dashboard/account',
    });
  }),
  post(`${twoStep}/off`, reauth('self'), async (world, visit) => {
    const { user, texts } = visit;
    await makeChange(world, visit, async tx => {
      await removeTotp(tx, user);
      const notice = because('two_step_off', { email: user.email });
      return { action: 'two_step.off', subject: user.email, notice };
    });
    return redirect('/dashboard/account', texts.account.twoStepIsOff);
  }),
  get('/dashboard/account/recovery-codes', reauth('self'), async (_world, { texts: { account }, user }) => {
    if (!user.hasTotp) return redirect('/dashboard/account');
    const form = postButton('/dashboard/account/recovery-codes', account.recoveryRenew, { plain: false });
    return screen(account.recoveryTitle, { text: account.recoveryText })`${card(form)}`;
  }),
  post('/dashboard/account/recovery-codes', reauth('self'), async (world, visit) => {
    const { user } = visit;
    if (!user.hasTotp) return redirect('/dashboard/account');
    const notice = because('recovery_codes_renewed', { email: user.email });
    const audited = { action: 'recovery_codes.renew', subject: user.email, notice } as const;
    const renew = (tx: Transaction) => renewRecoveryCodes(tx, user);
    const codes = await makeChange(world, visit, renew, () => audited);
    return codesPage(visit, codes);
  }),
  get(passkeys, reauth('self'), passkeysPage),
  post(`${passkeys}/options`, reauth('self'), async (world, visit) => {
    const value = await offerRegistration(world, visit.user, await listPasskeys(world.sql, visit.user));
    return value ? { kind: 'json', value } : notFound();
  }),
  post(passkeys, reauth('self'), async (world, visit) => {
    const { form, texts, user } = visit;
    const name = readName(form.text('name'), longestName) ?? texts.account.passkeyDefault;
    const response = readJsonField(form, 'response');
    const added = await makeChange(world, visit, async tx => {
      await stillAllowed(tx, visit, 'self');
      if (!(await registerPasskey(tx, world, user, { response, name }))) return null;
      await unconfirmOthers(tx, user, visit.session.sessionId);
      const notice = because('passkey_added', { email: user.email });
      return { action: 'passkey.add', subject: user.email, details: name, notice };
    });
    return added
      ? redirect('/dashboard/account', texts.account.passkeyAdded)
      : await passkeysPage(world, visit, texts.account.passkeyFailed, 400);
  }),
  post(`${passkeys}/:credentialId/remove`, reauth('self'), async (world, visit) => {
    const { user, params, texts } = visit;
    const removed = await makeChange(world, visit, async tx => {
      const name = await deletePasskey(tx, user, params['credentialId']!);
      const notice = because('passkey_removed', { email: user.email });
      return name === null ? null : { action: 'passkey.remove', subject: user.email, details: name, notice };
    });
    return removed ? redirect('/dashboard/account', texts.account.passkeyRemoved) : notFound();
  }),
];

async function setUpPage(world: World, visit: Visit, error?: string, status = 200): Promise<Answer> {
  const { texts, user } = visit;
  const { account, shell } = texts;
  const back = { href: '/dashboard/account', text: shell.yourAccount };
  if (user.hasTotp)
    return screen(account.twoStep, { text: account.twoStepIsOn, back })`<div class="actions">
${plainLink('/dashboard/account/recovery-codes', account.recoveryRenew)}${dangerLink(`${twoStep}/off`, account.twoStepTurnOff)}</div>`;
  const secret = await pendingTotp(world, visit.user);
  if (secret === null) {
    const begin = postButton(`${twoStep}/begin`, account.twoStepSetUp, { plain: false });
    return screen(account.twoStep, { text: account.twoStepText, back })`${begin}`;
  }
  const form = postForm(
    twoStep,
    account.twoStepConfirm,
    field('code', account.codeLabel, {
      autocomplete: 'one-time-code',
      inputmode: 'numeric',
      maxlength: 10,
      required: true,
      error,
    }),
    { cancel: { href: '/dashboard/account', text: shell.cancel } },
  );
  return screen(account.twoStep, {
    text: account.twoStepText,
    back,
    status,
  })`${card(html`<p>${account.twoStepScan}</p>
<div class="totp" role="img" aria-label="${account.twoStepScan}">${trusted(qrSvg(totpUri(secret, user.email)))}</div>
<p>${account.twoStepByHand} ${copyable(texts, 'totp-secret', secret, account.twoStep)}</p>${form}`)}`;
}

/** The only page that ever shows the codes; only their hashes are stored. */
function codesPage({ texts: { account } }: Visit, codes: readonly string[], flash?: string): Answer {
  return screen(account.recoveryTitle, { text: account.recoveryText, ...(flash !== undefined && { flash }) })`
${card(html`<ul class="codes">${codes.map(code => html`<li><code>${code}</code></li>`)}</ul>
<div class="actions">${linkButton('/dashboard/account', account.recoveryDone)}</div>`)}`;
}

function passwordPage({ texts, user }: Visit, error?: string, status = 200): Answer {
  const { account, shell } = texts;
  const form = postForm(
    '/dashboard/account/password',
    account.passwordChange,
    [
      html`<input type="hidden" autocomplete="username" value="${user.email}">`,
      newPasswordField(texts, error),
    ],
    { cancel: { href: '/dashboard/account', text: shell.cancel } },
  );
  return screen(account.passwordChange, { text: account.passwordText, status })`${card(form)}`;
}

async function passkeysPage(world: World, visit: Visit, error?: string, status = 200): Promise<Answer> {
  const { texts, agent } = visit;
  const { account, labels } = texts;
  const list = rowList(
    (await listPasskeys(world.sql, visit.user)).map(row => ({
      who: html`<bdi>${row.name}</bdi>`,
      what: html`${labels.added} ${moment(row.created_at, 'date')} · ${labels.lastUsed} ${row.last_used_at ? moment(row.last_used_at) : labels.never}`,
      state: dangerButton(`${passkeys}/${encodeURIComponent(row.credential_id)}/remove`, labels.remove),
    })),
  );
  const form = passkeyForm({
    action: passkeys,
    options: `${passkeys}/options`,
    kind: 'create',
    submit: account.passkeyAdd,
    main: true,
    fields: field('name', account.passkeyName, {
      value: describeAgent(agent),
      maxlength: longestName,
      error,
    }),
  });
  const back = { href: '/dashboard/account', text: texts.shell.yourAccount };
  return screen(account.passkeys, {
    text: account.passkeysText,
    back,
    status,
  })`<div class="stack groups one-column">
<div class="wrapped">${list}</div>${passkeySite(world.baseUrl) === null ? html`<p>${account.passkeysImpossible}</p>` : form}</div>`;
}
