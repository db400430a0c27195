import { serviceAt } from '../../alerts/mailboxes/mail-services.ts';
import { oauthClient } from '../../alerts/mailboxes/oauth/sign-in-url.ts';
import { type ProviderId, providers } from '../../alerts/mailboxes/providers.ts';
import type { MailboxRow } from '../../alerts/mailboxes/queries/settings.ts';
import type { MailboxSettings } from '../../alerts/mailboxes/read-settings.ts';
import { Form } from '../../base/http/form.ts';
import { type Html, html } from '../../base/http/html.ts';
import { longestMailAddress } from '../../base/network/parse-mail-address.ts';
import type { World } from '../../base/world.ts';
import { fold } from '../frame/choosing.ts';
import { button, field, hidden, postForm, selectField } from '../frame/controls.ts';
import { note } from '../frame/parts.ts';
import type { Visit } from '../frame/route.ts';
import { providerName } from './state-card.ts';

/** The form's values: the person's input, else the stored connection. A new password alone need not lose that. */
export type ConnectShown = { fault: string | undefined; stored: MailboxRow | null; next: string };

/** Connects with a password or a sign-in at the provider. Everything but the password stays filled in. */
export function connectForm(world: World, visit: Visit, { fault, stored, next }: ConnectShown): Html {
  const { texts } = visit;
  const form = visit.form.has('provider') || !stored ? visit.form : formOf(stored);
  const words = texts.mailbox;
  const optional = (label: string) => `${label} (${texts.shell.optional})`;
  const text = (name: string, label: string, hint: string) =>
    field(name, label, { hint, value: form.text(name), autocomplete: 'off' });
  const shown = providers.filter(provider => !provider.oauthOnly);
  const isOpen =
    form.text('provider') === 'other' || form.text('username') !== '' || form.text('folders') !== '';
  return html`${fault !== undefined && html`<div role="alert" tabindex="-1" autofocus>${note(fault, 'bad')}</div>`}
<form method="post" action="/dashboard/mailbox" class="stack">
${hidden({ next })}
${selectField('provider', words.provider, {
  value: form.text('provider') || 'gmail',
  choices: shown.map(provider => ({ value: provider.id, text: providerName(texts.tag, provider) })),
})}
${field('address', texts.labels.address, { hint: words.addressHint, value: form.text('address'), type: 'email', autocomplete: 'email', maxlength: longestMailAddress, required: true })}
${field('password', texts.labels.password, { hint: words.passwordHint, type: 'password', autocomplete: 'off', maxlength: 500, required: true })}
${fold(words.hintsTitle, html`<ul class="consequences">${shown.map(({ id }) => html`<li>${words.hints[id]}</li>`)}</ul>`)}
<details${isOpen && html` open`}><summary>${words.more}</summary><div class="stack">
${text('host', optional(words.host), words.hostHint)}
${field('port', optional(words.port), { value: form.text('port') || '993', inputmode: 'numeric', maxlength: 5 })}
${text('username', optional(words.username), words.usernameHint)}
${text('folders', optional(words.folders), words.foldersHint)}
</div></details>
<div class="actions">${button(words.submit)}</div>
</form>
${signIns(world, visit, form)}`;
}

function signIns({ config }: World, { texts }: Visit, form: Form): Html {
  const words = texts.mailbox;
  const kinds = [
    { id: 'gmail', name: 'Google' },
    { id: 'outlook', name: 'Microsoft' },
  ] as const;
  const { name, mailbox } = serviceAt('outlook');
  return html`${fold(`${name}: ${words.uses[mailbox]}`, html`<p class="quiet">${words.advice.outlook}</p>`)}${kinds.map(
    ({ id, name }) =>
      oauthClient(config, id)
        ? html`<details><summary>${words.signIn({ provider: name })}</summary><p class="quiet">${words.signInText({ provider: name })}</p>
${postForm(`/dashboard/mailbox/sign-in/${id}`, words.signIn({ provider: name }), html`<div class="field"><label for="address-${id}">${texts.labels.address}</label><input id="address-${id}" name="address" type="email" autocomplete="email" required value="${form.text('address')}"></div>`)}</details>`
        : null,
  )}`;
}

/** The stored settings as the form sends them. Nobody types a server that the provider implies. */
function formOf({ provider, address, username, host, port, extra_folders }: MailboxRow): Form {
  const takesPassword = providers.some(({ id, oauthOnly }) => id === provider && !oauthOnly);
  const fields = {
    provider: takesPassword ? provider : '',
    address,
    username: username === address ? '' : username,
    folders: extra_folders.join(', '),
    ...(provider === 'other' && { host, port: String(port) }),
  };
  return new Form(new Map(Object.entries(fields).map(([name, value]) => [name, [value]])));
}

export function readConnectForm(form: Form): MailboxSettings {
  const port = form.text('port');
  return {
    provider: form.text('provider') as ProviderId,
    address: form.text('address'),
    username: form.text('username'),
    host: form.text('host'),
    port: /^\d{1,5}$/.test(port) ? Number(port) : port === '' ? undefined : 0,
    extraFolders: form.text('folders').split(','),
    credential: { kind: 'password', password: form.raw('password') },
  };
}
