const shownFor = 2_000;

/** Shows the copy buttons, which need a script. */
export function offerCopying(): void {
  for (const button of document.querySelectorAll<HTMLButtonElement>('[data-copy-from]')) {
    const text = button.textContent ?? '';
    button.hidden = false;
    button.addEventListener('click', async () => {
      const source = document.getElementById(button.dataset['copyFrom'] ?? '');
      if (!source || !(await copy(source))) return;
      const copied = document.body.dataset['copied'] ?? '';
      say(copied);
      button.textContent = copied;
      setTimeout(() => {
        button.textContent = text;
      }, shownFor);
    });
  }
}

/** Announces it to a screen reader, also when the same words come twice. */
function say(text: string): void {
  const region = document.getElementById('say');
  if (!region) return;
  region.textContent = '';
  region.textContent = text;
}

/** Older browsers and pages without TLS have no clipboard; they at least select the text. */
async function copy(source: HTMLElement): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(source.textContent ?? '');
    return true;
  } catch {
    getSelection()?.selectAllChildren(source);
    return false;
  }
}
