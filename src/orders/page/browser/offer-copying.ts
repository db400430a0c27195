const shownFor = 2_000;

/** Shows the copy buttons, which do nothing without script. */
export function offerCopying(say: (text: string) => void): void {
  for (const button of document.querySelectorAll<HTMLButtonElement>('[data-copy]')) {
    const label = button.querySelector('b') ?? button;
    const text = label.textContent ?? '';
    const plain = document.querySelector<HTMLElement>(`[data-plain="${button.dataset['from']}"]`);
    button.hidden = false;
    if (plain) plain.hidden = true;
    button.addEventListener('click', async () => {
      const done = await copy(button.dataset['copy'] ?? '');
      say('');
      say(button.dataset[done ? 'done' : 'byHand'] ?? '');
      if (!done) {
        if (plain) plain.hidden = false;
        select(document.getElementById(button.dataset['from'] ?? ''));
        return;
      }
      label.textContent = button.dataset['done'] ?? '';
      button.classList.add('done');
      button.closest('li')?.classList.add('done');
      setTimeout(() => {
        label.textContent = text;
        button.classList.remove('done');
      }, shownFor);
    });
  }
}

async function copy(value: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(value);
    return true;
  } catch {
    return false;
  }
}

/** Older browsers and pages without TLS have no clipboard, so the text is at least selected there. */
function select(shown: HTMLElement | null): void {
  if (shown) getSelection()?.selectAllChildren(shown);
}
