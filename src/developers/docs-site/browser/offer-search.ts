import { type Entry, searchEntries } from './search-entries.ts';

/** A search box over this server's own index. Nothing typed leaves the browser. */
export function offerSearch(): void {
  const box = document.querySelector<HTMLElement>('.search');
  const input = box?.querySelector('input');
  const list = box?.querySelector<HTMLElement>('#found');
  if (!box || !input || !list) return;
  box.hidden = false;
  let entries: Promise<Entry[]> | null = null;
  const load = () => {
    entries ??= fetch(document.body.dataset['search'] ?? '').then(answer => answer.json());
    return entries;
  };
  const show = async () => {
    const wanted = input.value;
    if (wanted.trim() === '') {
      list.hidden = true;
      return;
    }
    let known: Entry[];
    try {
      known = await load();
    } catch {
      entries = null;
      list.replaceChildren('The search could not be loaded.');
      list.hidden = false;
      return;
    }
    if (input.value !== wanted) return;
    const found = searchEntries(known, wanted);
    list.replaceChildren(...(found.length > 0 ? found.map(resultLink) : [`Nothing found for “${wanted}”.`]));
    list.hidden = false;
  };
  input.addEventListener('focus', () => void load().catch(() => {}), { once: true });
  input.addEventListener('input', () => void show());
  box.addEventListener('keydown', event => move(event, input, list));
  document.addEventListener('click', event => {
    if (!box.contains(event.target as Node)) list.hidden = true;
  });
  document.addEventListener('keydown', event => {
    const typing = /^(?:INPUT|TEXTAREA|SELECT)$/.test(document.activeElement?.tagName ?? '');
    if (event.key === '/' && !typing && !event.ctrlKey && !event.metaKey) {
      event.preventDefault();
      input.focus();
    }
  });
}

function resultLink({ entry, excerpt }: { entry: Entry; excerpt: string }): HTMLElement {
  const link = document.createElement('a');
  link.href = entry.url;
  const title = document.createElement('strong');
  title.textContent = entry.heading === entry.page ? entry.page : `${entry.page}: ${entry.heading}`;
  const text = document.createElement('span');
  text.textContent = excerpt;
  link.append(title, text);
  return link;
}

/** Arrow keys move through the results, Escape closes them. */
function move(event: KeyboardEvent, input: HTMLInputElement, list: HTMLElement): void {
  if (event.key === 'Escape') {
    list.hidden = true;
    input.focus();
    return;
  }
  const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
  const stops = [input, ...list.querySelectorAll('a')];
  const at = stops.indexOf(document.activeElement as HTMLInputElement);
  if (step === undefined || at < 0 || list.hidden) return;
  event.preventDefault();
  stops[(at + step + stops.length) % stops.length]?.focus();
}
