/** The part of a tapped word that belongs into the field, without punctuation around it. */
const values: Readonly<Record<string, RegExp>> = {
  amount: /[0-9][0-9,]*(?:\.[0-9]{1,2})?/,
  account: /[0-9Xx*N-]*[0-9]{2,}/,
  reference: /[A-Za-z0-9]{8,}/,
  payer_vpa: /[\w.-]+@[\w.-]*\w/,
  payee_vpa: /[\w.-]+@[\w.-]*\w/,
};
const words = /^[("“‘]*|[)"”’.,;:!]*$/g;

/**
 * The workshop: with script a mail's words are buttons, and a tap writes one into the chosen field. A name of
 * several words is tapped word by word. Without script the fields are typed into.
 */
export function selectWords(): void {
  const mail = document.querySelector<HTMLElement>('[data-tap]');
  const form = mail?.closest('form');
  if (!mail || !form) return;
  const inputs = [...form.querySelectorAll<HTMLInputElement>('[data-marks] input')];
  if (!inputs[0]) return;
  let chosen = inputs[0];
  let last: { input: HTMLInputElement; at: number } | null = null;

  const bar = document.createElement('div');
  bar.className = 'mark-names';
  bar.setAttribute('role', 'group');
  bar.setAttribute('aria-label', mail.dataset['tap'] ?? '');
  const names = inputs.map(input =>
    newButton(input.labels?.[0]?.textContent ?? input.name, () => choose(input)),
  );
  const hint = document.createElement('p');
  hint.className = 'hint';
  hint.textContent = mail.dataset['tap'] ?? '';
  bar.append(...names);
  mail.before(hint, bar);

  const buttons: HTMLButtonElement[] = [];
  for (const line of mail.children) {
    const pieces = (line.textContent ?? '').split(/( |(?<=\/)|(?=\/))/);
    line.replaceChildren(
      ...pieces.map(piece => {
        if (piece === undefined || piece === '' || piece === ' ' || piece === '/') return piece ?? '';
        const at = buttons.length;
        buttons.push(newButton(piece, () => tap(piece, at)));
        return buttons[at]!;
      }),
    );
  }
  choose(chosen);
  showSelected();
  form.addEventListener('input', showSelected);

  function choose(input: HTMLInputElement): void {
    chosen = input;
    last = null;
    for (const [at, name] of names.entries()) name.setAttribute('aria-pressed', String(inputs[at] === input));
  }

  function tap(word: string, at: number): void {
    const pattern = values[chosen.name];
    const value = pattern ? (pattern.exec(word)?.[0] ?? word) : word.replace(words, '');
    const goesOn = !pattern && last?.input === chosen && last.at === at - 1;
    chosen.value = goesOn ? `${chosen.value} ${value}` : value;
    const details = chosen.closest('details');
    if (details) details.open = true;
    last = { input: chosen, at };
    showSelected();
  }

  /** A field with a value gets a tick, and its words are highlighted in the mail. */
  function showSelected(): void {
    for (const [at, name] of names.entries()) name.classList.toggle('done', inputs[at]!.value !== '');
    const selected = inputs.flatMap(input => input.value.split(' ')).filter(value => value !== '');
    for (const button of buttons) {
      const text = button.textContent ?? '';
      button.classList.toggle(
        'marked',
        selected.some(value => (value.length > 2 ? text.includes(value) : text === value)),
      );
    }
  }
}

function newButton(text: string, press: () => void): HTMLButtonElement {
  const button = document.createElement('button');
  button.type = 'button';
  button.textContent = text;
  button.addEventListener('click', press);
  return button;
}
