/** Shows the receipt's buttons, of which a browser may have one or both. */
export function offerReceipt(): void {
  const print = document.querySelector<HTMLElement>('[data-print]');
  const share = document.querySelector<HTMLElement>('[data-share]');
  if (!print || !share) return;
  print.hidden = false;
  print.onclick = () => window.print();
  // Not everywhere, and never without TLS.
  if (!('share' in navigator)) return;
  share.hidden = false;
  share.onclick = () => {
    // Refused, or closed again: they have seen that themselves.
    navigator.share({ text: share.dataset['share'] ?? '' }).catch(() => undefined);
  };
}

/** The order was paid while the page was open: its receipt stands in the page as the server writes it now. */
export async function takeReceipt(): Promise<void> {
  try {
    const answer = await fetch(location.href, { cache: 'no-store' });
    const page = new DOMParser().parseFromString(await answer.text(), 'text/html');
    const found = page.querySelector('#receipt');
    if (found) document.getElementById('receipt')!.replaceWith(document.importNode(found, true));
    offerReceipt();
  } catch {
    // The line is lost just now. That it was paid stands there all the same.
  }
}
