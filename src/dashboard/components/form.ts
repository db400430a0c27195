import { type Html, html } from '../../http/html.ts';
import { button } from './button.ts';

type FormOptions = {
  action: string;
  fields: Html | readonly Html[];
  submit: string;
  danger?: boolean;
  /** Another way out, beside the button. */
  cancel?: { href: string; text: string };
  id?: string;
};

/** A form that changes something. The session cookie and the browser's own word on its origin protect it. */
export function postForm({ action, fields, submit, danger = false, cancel, id }: FormOptions): Html {
  return html`<form method="post" action="${action}" class="stack"${id !== undefined && html` id="${id}"`}>
${fields}
<div class="actions">${button(submit, { danger })}${cancel && html`<a class="button plain" href="${cancel.href}">${cancel.text}</a>`}</div>
</form>`;
}

/** A form that is nothing but its button, with hidden values. */
export function postButton(
  action: string,
  text: string,
  {
    values = {},
    danger = false,
    plain = true,
  }: { values?: Record<string, string>; danger?: boolean; plain?: boolean } = {},
): Html {
  const hidden = Object.entries(values).map(
    ([name, value]) => html`<input type="hidden" name="${name}" value="${value}">`,
  );
  return html`<form method="post" action="${action}" class="inline">${hidden}${button(text, { danger, plain })}</form>`;
}
