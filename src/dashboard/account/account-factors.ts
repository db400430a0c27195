import { html, trusted } from '../../base/http/html.ts';
import type { World } from '../../base/world.ts';
import { hashPassword } from '../../business/accounts/password.ts';
import { removeTotp } from '../../business/accounts/queries/factors.ts';
import { deleteLinksOfUser } from '../../business/accounts/queries/links.ts';
import { deleteSessionsOf, unconfirmOthers } from '../../business/accounts/queries/sessions.ts';
import { writePassword } from '../../business/accounts/queries/users.ts';
import {
  beginTotp,
  finishTotp,
  pendingTotp,
  renewRecoveryCodes,
} from '../../business/accounts/set-up-totp.ts';
import { totpUri } from '../../business/accounts/totp.ts';
import { qrSvg } from '../../orders/qr-code.ts';
import { because } from '../../texts/verdicts.ts';
import { confirmPage, copyable, field, linkButton, postButton, postForm } from '../frame/controls.ts';
import { card, pageHead, screen } from '../frame/parts.ts';
import { makeChange, recordChange, recorded } from '../frame/record-change.ts';
import { type Answer, fresh, get, page, post, redirect, type Visit } from '../frame/route.ts';
import { newPasswordField, passwordError } from './account-fields.ts';

const here = '/dashboard/account/two-step';

export const accountFactorRoutes = [
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
  get(here, fresh('self'), setUpPage),
  post(`${here}/begin`, fresh('self'), async (world, visit) => {
    await beginTotp(world, visit.user);
    return redirect(here);
  }),
  post(here, fresh('self'), async (world, visit) => {
    const { user, form, texts } = visit;
    const codes = await world.sql.begin(async tx => {
      const made = await finishTotp(tx, world, user, form.text('code'));
      if (made === null) return null;
      await unconfirmOthers(tx, user, visit.session.sessionId);
      const notice = because('two_step_on', { email: user.email });
      await recordChange(tx, visit, { action: 'two_step.on', subject: user.email, notice });
      return made;
    });
    if (codes === null) return await setUpPage(world, visit, texts.account.codeWrong, 400);
    return codesPage(visit, codes, texts.account.twoStepIsOn);
  }),
  get(`${here}/off`, fresh('self'), async (_world, visit) => {
    const { account } = visit.texts;
    return confirmPage(visit, {
      title: account.twoStepOffTitle,
      consequences: account.twoStepOffConsequences,
      submit: account.twoStepTurnOff,
      back: '/dashboard/account',
    });
  }),
  post(`${here}/off`, fresh('self'), async (world, visit) => {
    const { user, texts } = visit;
    await makeChange(world, visit, async tx => {
      await removeTotp(tx, user);
      const notice = because('two_step_off', { email: user.email });
      return { action: 'two_step.off', subject: user.email, notice };
    });
    return redirect('/dashboard/account', texts.account.twoStepIsOff);
  }),
  get('/dashboard/account/recovery-codes', fresh('self'), async (_world, { texts: { account }, user }) => {
    if (!user.hasTotp) return redirect('/dashboard/account');
    const form = postButton('/dashboard/account/recovery-codes', account.recoveryRenew, { plain: false });
    return screen(account.recoveryTitle, { text: account.recoveryText })`${card(form)}`;
  }),
  post('/dashboard/account/recovery-codes', fresh('self'), async (world, visit) => {
    const { user } = visit;
    if (!user.hasTotp) return redirect('/dashboard/account');
    const notice = because('recovery_codes_renewed', { email: user.email });
    const deed = { action: 'recovery_codes.renew', subject: user.email, notice } as const;
    return codesPage(
      visit,
      await recorded(
        world,
        visit,
        tx => renewRecoveryCodes(tx, user),
        () => deed,
      ),
    );
  }),
];

async function setUpPage(world: World, visit: Visit, error?: string, status = 200): Promise<Answer> {
  const { texts, user } = visit;
  const { account, shell } = texts;
  const head = pageHead(account.twoStep, { text: account.twoStepText });
  if (user.hasTotp) return redirect('/dashboard/account');
  const secret = await pendingTotp(world, visit.user);
  if (secret === null) {
    const begin = postButton(`${here}/begin`, account.twoStepSetUp, { plain: false });
    return page({ title: account.twoStep, body: html`${head}${card(begin)}` });
  }
  const form = postForm({
    action: here,
    fields: field({
      name: 'code',
      label: account.codeLabel,
      autocomplete: 'one-time-code',
      inputmode: 'numeric',
      maxlength: 10,
      required: true,
      error,
    }),
    submit: account.twoStepConfirm,
    cancel: { href: '/dashboard/account', text: shell.cancel },
  });
  const body = html`${head}${card(html`<p>${account.twoStepScan}</p>
<div class="totp" role="img" aria-label="${account.twoStepScan}">${trusted(qrSvg(totpUri(secret, user.email)))}</div>
<p>${account.twoStepByHand} ${copyable(texts, 'totp-secret', secret, account.twoStep)}</p>${form}`)}`;
  return page({ title: account.twoStep, status, body });
}

/** The only moment that the codes exist outside their owner's hands. */
function codesPage({ texts: { account } }: Visit, codes: readonly string[], flash?: string): Answer {
  return screen(account.recoveryTitle, { text: account.recoveryText, ...(flash !== undefined && { flash }) })`
${card(html`<ul class="codes">${codes.map(code => html`<li><code>${code}</code></li>`)}</ul>
<div class="actions">${linkButton('/dashboard/account', account.recoveryDone)}</div>`)}`;
}

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
