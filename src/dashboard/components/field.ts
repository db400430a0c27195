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
  /** In code points, as the server counts. */
  maxlength?: number;
  pattern?: string;
  autofocus?: boolean;
};

/** Browsers count UTF-16 units, of which an emoji is two: with half the room an id that we took could not be typed. */
const unitsOfACodePoint = 2;

/** A labelled input that tells its error to eyes and ears alike: the first one that is wrong has the focus. */
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
    options.maxlength !== undefined && html` maxlength="${options.maxlength * unitsOfACodePoint}"`,
    options.pattern !== undefined && html` pattern="${options.pattern}"`,
    options.required && html` required`,
    (options.autofocus || error !== undefined) && html` autofocus`,
  ]}>
</div>`;
}

type Choice = { value: string; text: string; hint?: string };
type ChoiceGroup = { label: string; choices: readonly Choice[] };

export function selectField(options: {
  name: string;
  label: string;
  value: string;
  choices: readonly (Choice | ChoiceGroup)[];
  hint?: string;
  error?: string | undefined;
}): Html {
  const { name, label, value, choices, hint, error } = options;
  const option = (choice: Choice) =>
    html`<option value="${choice.value}"${choice.value === value && html` selected`}>${choice.text}</option>`;
  return html`<div class="field">
<label for="${name}">${label}</label>
${hint !== undefined && html`<p class="hint" id="${name}-hint">${hint}</p>`}
${error !== undefined && html`<p class="error" id="${name}-error">${error}</p>`}
<select id="${name}" name="${name}"${describedBy(name, hint, error)}${error !== undefined && html` autofocus`}>${choices.map(
    choice =>
      'choices' in choice
        ? html`<optgroup label="${choice.label}">${choice.choices.map(option)}</optgroup>`
        : option(choice),
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

function describedBy(name: string, hint: string | undefined, error: string | undefined): Html | null {
  const ids = [hint !== undefined && `${name}-hint`, error !== undefined && `${name}-error`].filter(Boolean);
  if (ids.length === 0) return null;
  return html` aria-describedby="${ids.join(' ')}"${error !== undefined && html` aria-invalid="true"`}`;
}
