const place = 'milaan-typed';
const keptFor = 30 * 60_000;
/** The pages between a form and its change: the session had ended, or the person must confirm who they are. */
const between = /^\/dashboard\/(?:sign-in|confirm)(?:\/|$)/;

type Typed = { form: string; who: string; at: number; interrupted: boolean; fields: [string, string][] };

/**
 * A form's text survives a session that ended before it was sent. It stays in this tab alone, without passwords and
 * codes. It comes back once, for the same person and form. Nothing is sent automatically.
 */
export function keepTyped(): void {
  const isBetween = between.test(location.pathname);
  const typed = take();
  if (isBetween && typed) put({ ...typed, interrupted: true });
  if (isBetween) return;
  if (typed?.interrupted && typed.who === person() && Date.now() - typed.at < keptFor) fill(typed);
  document.addEventListener('submit', event => {
    const form = event.target as HTMLFormElement;
    if (event.defaultPrevented || form.getAttribute('method') !== 'post') return;
    const fields = inputsOf(form)
      .filter(input => !isChoice(input) || input.checked)
      .map((input): [string, string] => [input.name, input.value]);
    put({
      form: form.getAttribute('action') ?? '',
      who: person(),
      at: Date.now(),
      interrupted: false,
      fields,
    });
  });
}

function fill({ form, fields }: Typed): void {
  const found = document.querySelector<HTMLFormElement>(`form[method="post"][action="${CSS.escape(form)}"]`);
  if (!found) return;
  const values = new Map(fields);
  for (const input of inputsOf(found)) {
    const value = values.get(input.name);
    if (value === undefined) continue;
    if (isChoice(input)) input.checked = input.value === value;
    else input.value = value;
    const details = input.closest('details');
    if (details && value !== '') details.open = true;
  }
}

type Input = HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement;

/** The person's input, without secrets. */
function inputsOf(form: HTMLFormElement): Input[] {
  return [...form.querySelectorAll<Input>('input[name], select[name], textarea[name]')].filter(
    input => !['hidden', 'password', 'file'].includes(input.type) && input.autocomplete !== 'one-time-code',
  );
}

function isChoice(input: Input): input is HTMLInputElement {
  return input.type === 'radio' || input.type === 'checkbox';
}

/** The signed-in person. Two people may have one name. */
function person(): string {
  return document.querySelector<HTMLElement>('[data-person]')?.dataset['person'] ?? '';
}

function take(): Typed | null {
  try {
    const text = sessionStorage.getItem(place);
    sessionStorage.removeItem(place);
    return text === null ? null : (JSON.parse(text) as Typed);
  } catch {
    return null;
  }
}

/** A browser without storage must not keep a form from being sent. */
function put(typed: Typed): void {
  try {
    sessionStorage.setItem(place, JSON.stringify(typed));
  } catch {
    // Without storage the text has to be typed again.
  }
}
