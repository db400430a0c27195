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
        () => show(button, 'Copied'),
        () => show(button, 'Not copied'),
      );
    });
    figure.append(button);
  }
}

function show(button: HTMLElement, word: string): void {
  button.textContent = word;
  setTimeout(() => {
    button.textContent = 'Copy';
  }, 1500);
}

/** Turns samples in several languages into tabs. A choice applies to every group and to the next page. */
function offerTabs(): void {
  const groups = [...document.querySelectorAll<HTMLElement>('.samples')].map(newGroup);
  const choose = (name: string) => {
    for (const group of groups) group.show(name);
  };
  for (const group of groups) {
    group.onChoice = name => {
      remember(name);
      choose(name);
    };
    group.show(group.names[0] ?? '');
  }
  const earlier = remembered();
  if (earlier !== null) choose(earlier);
}

type Group = { names: string[]; onChoice: (name: string) => void; show(name: string): void };

function newGroup(box: HTMLElement): Group {
  const figures = [...box.querySelectorAll<HTMLElement>('figure')];
  const bar = document.createElement('div');
  bar.className = 'tabs';
  bar.setAttribute('role', 'group');
  bar.setAttribute('aria-label', 'Language of the sample');
  const group: Group = {
    names: figures.map(figure => figure.dataset['name'] ?? ''),
    onChoice: () => {},
    show(name) {
      if (!group.names.includes(name)) return;
      figures.forEach((figure, at) => {
        figure.hidden = group.names[at] !== name;
      });
      buttons.forEach((button, at) => {
        button.setAttribute('aria-pressed', String(group.names[at] === name));
      });
    },
  };
  const buttons = group.names.map(name => {
    const button = document.createElement('button');
    button.type = 'button';
    button.textContent = name;
    button.addEventListener('click', () => group.onChoice(name));
    return button;
  });
  bar.append(...buttons);
  box.prepend(bar);
  box.classList.add('tabbed');
  return group;
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
