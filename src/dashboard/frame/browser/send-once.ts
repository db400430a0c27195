/** Longer than the slowest answer, such as a mail server that is tried; after it a person means it. */
const lockedFor = 30_000;

/** A second click while the first is on its way sends nothing: it would make a second key, or a second test event. */
export function sendOnce(): void {
  const underWay = new Set<HTMLFormElement>();
  document.addEventListener('submit', event => {
    const form = event.target as HTMLFormElement;
    if (event.defaultPrevented || form.getAttribute('method') !== 'post') return;
    if (underWay.has(form)) return event.preventDefault();
    underWay.add(form);
    setTimeout(() => underWay.delete(form), lockedFor);
  });
  // Whoever comes back finds the page as it was left, and may send again.
  addEventListener('pageshow', () => underWay.clear());
}
