import { codePoints } from '../../base/http/text.ts';
import { deletePasskey } from '../../business/accounts/queries/passkeys.ts';
import { unconfirmOthers } from '../../business/accounts/queries/sessions.ts';
import { offerRegistration, registerPasskey } from '../../business/accounts/register-passkey.ts';
import { because } from '../../texts/verdicts.ts';
import { field, passkeyForm } from '../frame/controls.ts';
import { card, screen } from '../frame/parts.ts';
import { readJsonField } from '../frame/read-json-field.ts';
import { makeChange } from '../frame/record-change.ts';
import { type Answer, fresh, get, notFound, post, redirect, type Visit } from '../frame/route.ts';
import { describeAgent } from './describe-agent.ts';

const here = '/dashboard/account/passkeys';
const longestName = 60;

export const accountPasskeyRoutes = [
  get(here, fresh('self'), async (_world, visit) => addPage(visit)),
  post(`${here}/options`, fresh('self'), async (world, visit) => {
    const value = await offerRegistration(world, visit.user);
    return value ? { kind: 'json', value } : notFound();
  }),
  post(here, fresh('self'), async (world, visit) => {
    const { form, texts, user } = visit;
    const typed = form.text('name');
    const name = typed !== '' && codePoints(typed) <= longestName ? typed : texts.account.passkeyDefault;
    const response = readJsonField(form, 'response');
    const added = await makeChange(world, visit, async tx => {
      if (!(await registerPasskey(tx, world, user, { response, name }))) return null;
      await unconfirmOthers(tx, user, visit.session.sessionId);
      const notice = because('passkey_added', { email: user.email });
      return { action: 'passkey.add', subject: user.email, details: name, notice };
    });
    return added
      ? redirect('/dashboard/account', texts.account.passkeyAdded)
      : addPage(visit, texts.account.passkeyFailed, 400);
  }),
  post(`${here}/:credentialId/remove`, fresh('self'), async (world, visit) => {
    const { user, params, texts } = visit;
    const removed = await makeChange(world, visit, async tx => {
      const name = await deletePasskey(tx, user, params['credentialId']!);
      const notice = because('passkey_removed', { email: user.email });
      return name === null ? null : { action: 'passkey.remove', subject: user.email, details: name, notice };
    });
    return removed ? redirect('/dashboard/account', texts.account.passkeyRemoved) : notFound();
  }),
];

function addPage({ texts, agent }: Visit, error?: string, status = 200): Answer {
  const { account } = texts;
  const form = passkeyForm({
    action: here,
    options: `${here}/options`,
    kind: 'create',
    submit: account.passkeyAdd,
    main: true,
    fields: field({
      name: 'name',
      label: account.passkeyName,
      value: describeAgent(agent),
      maxlength: longestName,
      error,
    }),
  });
  const back = { href: '/dashboard/account', text: texts.shell.yourAccount };
  return screen(account.passkeyAdd, { text: account.passkeysText, back, status })`${card(form)}`;
}
