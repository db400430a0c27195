import type { Form } from '../../base/http/form.ts';
import { type Html, html } from '../../base/http/html.ts';
import type { Texts } from '../../texts/languages.ts';
import { card, screen } from './parts.ts';
import type { Answer, Visit } from './route.ts';

type ButtonStyle = { danger?: boolean; plain?: boolean };

/** Submits its form. If the form has several buttons, `answer` says which one was pressed. */
export function button(text: string, { answer, ...style }: ButtonStyle & { answer?: string } = {}): Html {
  return html`<button class="${classes(style)}"${answer !== undefined && html` name="answer" value="${answer}"`}>${text}</button>`;
}

export function linkButton(href: string, text: string, style: ButtonStyle = {}): Html {
  return html`<a class="${classes(style)}" href="${href}">${text}</a>`;
}

export function plainLink(href: string, text: string): Html {
  return linkButton(href, text, { plain: true });
}

/** A link to something that is hard to undo; its page says what will happen. */
export function dangerLink(href: string, text: string): Html {
  return linkButton(href, text, { danger: true, plain: true });
}

function classes({ danger = false, plain = false }: ButtonStyle): string {
  return ['button', danger && 'danger', plain && 'plain'].filter(Boolean).join(' ');
}

/** Copies the text of the element `from`. Hidden without script. `label` says to screen readers what is copied. */
export function copyButton({ shell }: Texts, from: string, label: string): Html {
  return html`<button type="button" class="button plain copy" data-copy-from="${from}" aria-label="${shell.copy}: ${label}" hidden>${shell.copy}</button>`;
}

export function copyable(texts: Texts, id: string, value: string, label: string): Html {
  return html`<span class="copyable"><code id="${id}">${value}</code>${copyButton(texts, id, label)}</span>`;
}

type FormOptions = {
  danger?: boolean;
  cancel?: { href: string; text: string };
};

/** A form that changes something. The session cookie and the browser's Origin header protect it. */
export function postForm(
  action: string,
  submit: string,
  fields: Html | readonly Html[],
  { danger = false, cancel }: FormOptions = {},
): Html {
  return html`<form method="post" action="${action}" class="stack">
${fields}
<div class="actions">${button(submit, { danger })}${cancel && html`<a class="button plain" href="${cancel.href}">${cancel.text}</a>`}</div>
</form>`;
}

export function postButton(
  action: string,
  text: string,
  { values = {}, danger = false, plain = true }: ButtonStyle & { values?: Record<string, string> } = {},
): Html {
  return html`<form method="post" action="${action}" class="inline">${hidden(values)}${button(text, { danger, plain })}</form>`;
}

export function dangerButton(action: string, text: string): Html {
  return postButton(action, text, { danger: true });
}

export function hidden(values: Record<string, string | null>): Html {
  const given = Object.entries(values).filter(([, value]) => value !== null);
  return html`${given.map(([name, value]) => html`<input type="hidden" name="${name}" value="${value}">`)}`;
}

type FieldOptions = {
  value?: string;
  type?: 'text' | 'email' | 'password' | 'search' | 'url';
  hint?: string;
  error?: string | undefined;
  autocomplete?: string;
  inputmode?: 'numeric' | 'decimal' | 'email';
  required?: boolean;
  /** In code points, as the server counts. */
  maxlength?: number;
  autofocus?: boolean;
};

/** Browsers count UTF-16 units, and an emoji is two. With the server's number half of a valid id could not be typed. */
export const unitsOfACodePoint = 2;

/** A labelled input with its error, also for screen readers. The first wrong field has the focus. */
export function field(name: string, label: string, options: FieldOptions = {}): Html {
  const { value = '', type = 'text', hint, error } = options;
  return html`<div class="field">${above(name, label, hint, error)}<input id="${name}" name="${name}" type="${type}" value="${value}"${[
    describedBy(name, hint, error),
    options.autocomplete !== undefined && html` autocomplete="${options.autocomplete}"`,
    options.inputmode !== undefined && html` inputmode="${options.inputmode}"`,
    options.maxlength !== undefined && html` maxlength="${options.maxlength * unitsOfACodePoint}"`,
    options.required && html` required`,
    (options.autofocus || error !== undefined) && html` autofocus`,
  ]}>
</div>`;
}

/** One form's fields: each keeps the person's earlier input and shows what is wrong with it. */
export function typedFields<Name extends string>(
  form: Form,
  wrong: (name: Name) => string | undefined,
  common: FieldOptions = {},
) {
  return (name: Name, label: string, more: FieldOptions = {}): Html =>
    field(name, label, { value: form.text(name), error: wrong(name), ...common, ...more });
}

export function fileField(
  name: string,
  label: string,
  options: {
    hint: string;
    accept: string;
    mostBytes: number;
    tooLarge: string;
    error: string | undefined;
    optional?: true;
  },
): Html {
  const { hint, error } = options;
  return html`<div class="field">${above(name, label, hint, error)}<input id="${name}" name="${name}" type="file" accept="${options.accept}"${!options.optional && html` required`} data-most-bytes="${options.mostBytes}" data-too-large="${options.tooLarge}"${describedBy(name, hint, error)}${error !== undefined && html` autofocus`}></div>`;
}

type Choice = { value: string; text: string; hint?: string };

type SelectOptions = {
  value: string;
  choices: readonly (Choice | { label: string; choices: readonly Choice[] })[];
  hint?: string;
  error?: string | undefined;
};

export function selectField(name: string, label: string, options: SelectOptions): Html {
  const { value, choices, hint, error } = options;
  const option = (choice: Choice) =>
    html`<option value="${choice.value}"${choice.value === value && html` selected`}>${choice.text}</option>`;
  return html`<div class="field">${above(name, label, hint, error)}<select id="${name}" name="${name}"${describedBy(name, hint, error)}${error !== undefined && html` autofocus`}>${choices.map(
    choice =>
      'choices' in choice
        ? html`<optgroup label="${choice.label}">${choice.choices.map(option)}</optgroup>`
        : option(choice),
  )}</select>
</div>`;
}

export function radioField(
  name: string,
  label: string,
  { value, choices, error }: { value: string; choices: readonly Choice[]; error?: string | undefined },
): Html {
  return html`<fieldset class="field"${error !== undefined && html` aria-describedby="${name}-error" tabindex="-1" autofocus`}>
<legend>${label}</legend>
${error !== undefined && html`<p class="error" id="${name}-error">${error}</p>`}
${choices.map(
  choice => html`<div class="choice"><input type="radio" id="${name}-${choice.value}" name="${name}" value="${choice.value}"${[
    choice.value === value && html` checked`,
    choice.hint !== undefined && html` aria-describedby="${name}-${choice.value}-hint"`,
  ]}>
<div><label for="${name}-${choice.value}">${choice.text}</label>
${choice.hint !== undefined && html`<p class="hint" id="${name}-${choice.value}-hint">${choice.hint}</p>`}</div></div>`,
)}
</fieldset>`;
}

function above(name: string, label: string, hint: string | undefined, error: string | undefined): Html {
  return html`<label for="${name}">${label}</label>
${hint !== undefined && html`<p class="hint" id="${name}-hint">${hint}</p>`}
${error !== undefined && html`<p class="error" id="${name}-error">${error}</p>`}`;
}

function describedBy(name: string, hint: string | undefined, error: string | undefined): Html | null {
  const ids = [hint !== undefined && `${name}-hint`, error !== undefined && `${name}-error`].filter(Boolean);
  if (ids.length === 0) return null;
  return html` aria-describedby="${ids.join(' ')}"${error !== undefined && html` aria-invalid="true"`}`;
}

type Confirmation = {
  title: string;
  consequences: readonly string[];
  submit: string;
  back: string;
  fields?: readonly Html[];
  /** False if it deletes nothing. */
  danger?: boolean;
  status?: number;
};

/** Shown before a destructive action: what will happen, one red button that posts to this address, one way back. */
export function confirmPage(
  { texts, url }: Visit,
  { title, consequences, submit, back, fields = [], danger = true, status = 200 }: Confirmation,
): Answer {
  const list = html`<ul class="consequences">${consequences.map(sentence => html`<li>${sentence}</li>`)}</ul>`;
  const cancel = { href: back, text: texts.shell.cancel };
  const form = postForm(url.split('?')[0]!, submit, fields, { danger, cancel });
  return screen(title, { status })`${card(html`${list}${form}`)}`;
}

type PasskeyForm = {
  action: string;
  /** The script fetches the passkey's challenge here. */
  options: string;
  kind: 'get' | 'create';
  submit: string;
  fields: Html;
  main?: boolean;
};

/** The script sends it once the passkey has signed. Hidden if the browser has no passkeys. */
export function passkeyForm({ action, options, kind, submit, fields, main = false }: PasskeyForm): Html {
  return html`<form method="post" action="${action}" class="stack" data-passkey="${kind}" data-options="${options}" hidden>
${fields}${hidden({ response: '' })}
<div class="actions">${button(submit, { plain: !main })}</div>
</form>`;
}

/** A dangerous change's form, or a link to the confirmation that comes first, so that nobody types everything twice. */
export function whenConfirmed({ session, texts, url }: Visit, form: () => Html): Html {
  if (session.confirmed) return form();
  const { text, confirm } = texts.shell.confirmFirst;
  const next = encodeURIComponent(url);
  return html`<p>${text}</p><div class="actions">${plainLink(`/dashboard/confirm?next=${next}`, confirm)}</div>`;
}

/** A field that a script filled with JSON; null if it is no JSON. */
export function readJsonField(form: Form, name: string): unknown {
  try {
    return JSON.parse(form.text(name));
  } catch {
    return null;
  }
}
