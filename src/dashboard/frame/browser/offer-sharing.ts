/** Shows what only a script can do: the device's own way to share, and to print. */
export function offerSharing(): void {
  for (const button of document.querySelectorAll<HTMLButtonElement>('[data-share]')) {
    if (!('share' in navigator)) continue;
    button.hidden = false;
    button.addEventListener('click', () => {
      const { share: url = '', shareText: text = '' } = button.dataset;
      // Whoever changes their mind has done nothing wrong.
      navigator.share({ text, url }).catch(() => {});
    });
  }
  for (const button of document.querySelectorAll<HTMLButtonElement>('[data-print]')) {
    button.hidden = false;
    button.addEventListener('click', () => print());
  }
}
