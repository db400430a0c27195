/** A button on every sample that copies it. */
export function offerCopying(): void {
  if (!navigator.clipboard) return;
  for (const figure of document.querySelectorAll<HTMLElement>('figure.code')) {
    const button = document.createElement('button');
    button.className = 'copy';
    button.type = 'button';
    button.textContent = 'Copy';
    button.addEventListener('click', () => {
      navigator.clipboard.writeText(figure.querySelector('code')?.textContent ?? '').then(
        () => tell(button, 'Copied'),
        () => tell(button, 'Not copied'),
      );
    });
    figure.append(button);
  }
}

function tell(button: HTMLElement, word: string): void {
  button.textContent = word;
  setTimeout(() => {
    button.textContent = 'Copy';
  }, 1500);
}
