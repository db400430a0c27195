import { offerSearch } from './offer-search.ts';

// On a phone the menu starts closed; on a wide screen it has its own column.
const wide = matchMedia('(min-width: 56rem)');
const menu = document.querySelector<HTMLDetailsElement>('.menu details');
const fold = () => {
  if (menu) menu.open = wide.matches;
};
fold();
wide.addEventListener('change', fold);

const storageName = 'milaan-docs-language';

offerTabs();
offerCopying();
offerSearch();

function offerCopying(): void {
  if (!navigator.clipboard) return;
  for (const figure of document.querySelectorAll<HTMLElement>('figure.code')) {
    const button = document.createElement('button');
    button.className = 'copy';
    button.type = 'button';
    button.textContent = 'Copy';
    button.addEventListener('click', () => {
      navigator.clipboard.writeText(figure.querySelector('code')?.textContent ?? '').then(
        () => say(button, 'Copied'),
        () => say(button, 'Not copied'),
      );
    });
    figure.append(button);
  }
}

function say(button: HTMLElement, word: string): void {
  button.textContent = word;
  setTimeout(() => {
    button.textContent = 'Copy';
  }, 1500);
}

/** Turns samples in several languages into tabs. A choice applies to every group and to the next page. */
function offerTabs(): void {
  const boxes = document.querySelectorAll<HTMLElement>('.samples');
  const choose = (name: string) => {
    for (const box of boxes) show(box, name);
  };
  for (const box of boxes) {
    const bar = document.createElement('div');
    bar.className = 'tabs';
    bar.setAttribute('role', 'group');
    bar.setAttribute('aria-label', 'Language of the sample');
    const names = [...box.querySelectorAll('figure')].map(({ dataset }) => dataset['name'] ?? '');
    for (const name of names) {
      const button = document.createElement('button');
      button.type = 'button';
      button.textContent = name;
      button.addEventListener('click', () => {
        remember(name);
        choose(name);
      });
      bar.append(button);
    }
    box.prepend(bar);
    box.classList.add('tabbed');
    show(box, names[0] ?? '');
  }
  const earlier = remembered();
  if (earlier !== null) choose(earlier);
}

/** Shows the sample of this name, if the group has one. */
function show(box: HTMLElement, name: string): void {
  const figures = [...box.querySelectorAll('figure')];
  if (!figures.some(({ dataset }) => dataset['name'] === name)) return;
  for (const figure of figures) figure.hidden = figure.dataset['name'] !== name;
  for (const button of box.querySelectorAll('.tabs button'))
    button.setAttribute('aria-pressed', String(button.textContent === name));
}

/** Storage may be forbidden; then the choice lasts for this page only. */
function remembered(): string | null {
  try {
    return localStorage.getItem(storageName);
  } catch {
    return null;
  }
}

function remember(name: string): void {
  try {
    localStorage.setItem(storageName, name);
  } catch {
    // Without storage only convenience is lost.
  }
}
