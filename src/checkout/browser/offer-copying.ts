const shownFor = 2_000;

/** Shows the copy buttons, which are of no use without script. */
export function offerCopying(say: (text: string) => void): void {
  for (const button of document.querySelectorAll<HTMLButtonElement>('[data-copy]')) {
    const text = button.textContent ?? '';
    button.hidden = false;
    button.addEventListener('click', async () => {
      const done = await copy(
        button.dataset['copy'] ?? '',
        document.getElementById(button.dataset['from'] ?? ''),
      );
      say('');
      say(button.dataset[done ? 'done' : 'byHand'] ?? '');
      if (!done) return;
      button.textContent = button.dataset['done'] ?? '';
      button.classList.add('done');
      setTimeout(() => {
        button.textContent = text;
        button.classList.remove('done');
      }, shownFor);
    });
  }
}

/** Older browsers and pages without TLS have no clipboard; there the text is at least selected. */
async function copy(value: string, shown: HTMLElement | null): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(value);
    return true;
  } catch {
    if (shown) getSelection()?.selectAllChildren(shown);
    return false;
  }
}
