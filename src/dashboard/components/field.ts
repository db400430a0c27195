import { type Html, html } from '../../http/html.ts';

export type FieldOptions = {
  name: string;
  label: string;
  value?: string;
  type?: 'text' | 'email' | 'password' | 'number' | 'search' | 'date' | 'url';
  /** Stands below the label, before anything is wrong. */
  hint?: string;
  /** What is wrong with what was entered. */
  error?: string | undefined;
  autocomplete?: string;
  inputmode?: 'numeric' | 'decimal' | 'email' | 'text';
  required?: boolean;
  maxlength?: number;
  pattern?: string;
  autofocus?: boolean;
};

/** A labelled input that tells its error to eyes and ears alike. */
export function field(options: FieldOptions): Html {
  const { name, label, value = '', type = 'text', hint, error } = options;
  return html`<div class="field">
<label for="${name}">${label}</label>
${hint !== undefined && html`<p class="hint" id="${name}-hint">${hint}</p>`}
${error !== undefined && html`<p class="error" id="${name}-error">${error}</p>`}
<input id="${name}" name="${name}" type="${type}" value="${value}"${[
    describedBy(name, hint, error),
    options.autocomplete !== undefined && html` autocomplete="${options.autocomplete}"`,
    options.inputmode !== undefined && html` inputmode="${options.inputmode}"`,
    options.maxlength !== undefined && html` maxlength="${options.maxlength}"`,
    options.pattern !== undefined && html` pattern="${options.pattern}"`,
    options.required && html` required`,
    options.autofocus && html` autofocus`,
  ]}>
</div>`;
}

type Choice = { value: string; text: string; hint?: string };

export function selectField(options: {
  name: string;
  label: string;
  value: string;
  choices: readonly Choice[];
  hint?: string;
  error?: string | undefined;
}): Html {
  const { name, label, value, choices, hint, error } = options;
  return html`<div class="field">
<label for="${name}">${label}</label>
${hint !== undefined && html`<p class="hint" id="${name}-hint">${hint}</p>`}
${error !== undefined && html`<p class="error" id="${name}-error">${error}</p>`}
<select id="${name}" name="${name}"${describedBy(name, hint, error)}>${choices.map(
    choice =>
      html`<option value="${choice.value}"${choice.value === value && html` selected`}>${choice.text}</option>`,
  )}</select>
</div>`;
}

/** One of a few, each with its explanation. */
export function radioField(options: {
  name: string;
  label: string;
  value: string;
  choices: readonly Choice[];
  error?: string | undefined;
}): Html {
  const { name, label, value, choices, error } = options;
  return html`<fieldset class="field">
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

function describedBy(name: string, hint: string | undefined, error: string | undefined): Html | null {
  const ids = [hint !== undefined && `${name}-hint`, error !== undefined && `${name}-error`].filter(Boolean);
  if (ids.length === 0) return null;
  return html` aria-describedby="${ids.join(' ')}"${error !== undefined && html` aria-invalid="true"`}`;
}
