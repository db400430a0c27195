import { type Html, html } from '../../http/html.ts';

type PasskeyForm = {
  action: string;
  /** Where the script asks what the passkey has to sign. */
  options: string;
  kind: 'get' | 'create';
  submit: string;
  values?: Record<string, string>;
  fields?: readonly Html[];
  /** The one thing to do on its page. */
  main?: boolean;
};

/** Sent by the script once the passkey has answered; hidden where the browser has no passkeys. */
export function passkeyForm({
  action,
  options,
  kind,
  submit,
  values = {},
  fields = [],
  main = false,
}: PasskeyForm): Html {
  const hidden = Object.entries(values).map(
    ([name, value]) => html`<input type="hidden" name="${name}" value="${value}">`,
  );
  return html`<form method="post" action="${action}" class="stack" data-passkey="${kind}" data-options="${options}" hidden>
${hidden}<input type="hidden" name="response" value="">${fields}
<div class="actions"><button class="button${!main && ' plain'}">${submit}</button></div>
</form>`;
}
