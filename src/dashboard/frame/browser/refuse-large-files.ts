/** Said before it is sent: the server stops reading a file that is too large, and the browser shows a broken line. */
export function refuseLargeFiles(): void {
  for (const input of document.querySelectorAll<HTMLInputElement>('input[type="file"][data-most-bytes]')) {
    const { mostBytes, tooLarge = '' } = input.dataset;
    input.addEventListener('change', () => {
      const size = input.files?.[0]?.size ?? 0;
      input.setCustomValidity(size > Number(mostBytes) ? tooLarge : '');
      input.reportValidity();
    });
  }
}
