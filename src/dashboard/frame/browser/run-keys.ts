const stored = 'milaan-keys';
const fields = 'input, select, textarea, [contenteditable]';

/**
 * Keys for people at a keyboard. Single keys never act in a field, and the account page switches them off on this
 * device (WCAG 2.1.4). Ctrl+K and Escape need no switch.
 */
export function runKeys(): void {
  for (const hint of document.querySelectorAll<HTMLElement>('kbd[hidden]')) hint.hidden = false;
  offerSwitch();
  document.addEventListener('keydown', event => {
    if (event.defaultPrevented || event.altKey || event.isComposing) return;
    const { key } = event;
    const isCommand = event.ctrlKey || event.metaKey;
    const isTyping = event.target instanceof Element && event.target.matches(fields);
    if (key === 'Escape') {
      // The browser itself closes the list of keys.
      const isDone = document.querySelector(':popover-open') || closeMenus() || isTyping;
      return isDone ? undefined : leave();
    }
    const isOff = isTyping || event.repeat || localStorage.getItem(stored) === 'off';
    const act = isCommand ? key.toLowerCase() === 'k' && search : !isOff && singles[key];
    if (!act) return;
    event.preventDefault();
    act();
  });
  document.addEventListener('click', ({ target }) => closeMenus(target as Node));
}

const singles: Record<string, (() => void) | undefined> = {
  '/': search,
  n: () => follow('.places a[href="/dashboard/counter"]'),
  '?': () => document.querySelector<HTMLElement>('#key-list')?.togglePopover(),
};

function search(): void {
  const field = document.querySelector<HTMLInputElement>('.top-search input');
  if (field?.checkVisibility()) field.select();
  else follow('.to-search');
}

/** From a payment's QR code back to the keypad. */
function leave(): void {
  follow('[data-leave], [data-pay] a[href="/dashboard/counter"]');
}

function follow(selector: string): void {
  document.querySelector<HTMLElement>(selector)?.click();
}

/** Closes open menus, but not the one around `except`. True if one was open. */
function closeMenus(except?: Node): boolean {
  const open = [...document.querySelectorAll<HTMLDetailsElement>('details.menu[open]')].filter(
    menu => !except || !menu.contains(except),
  );
  for (const menu of open) {
    menu.open = false;
    if (!except) menu.querySelector('summary')?.focus();
  }
  return open.length > 0;
}

function offerSwitch(): void {
  const choice = document.querySelector<HTMLInputElement>('[data-keys] input');
  if (!choice) return;
  choice.closest<HTMLElement>('[data-keys]')!.hidden = false;
  choice.checked = localStorage.getItem(stored) !== 'off';
  choice.addEventListener('change', () => localStorage.setItem(stored, choice.checked ? 'on' : 'off'));
}
