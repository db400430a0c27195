/** Writes every moment in the viewer's own zone; the UTC time stays as the element's title. */
export function showLocalTimes(within: ParentNode): void {
  const language = `${document.documentElement.lang}-IN`;
  const thisYear = new Date().getFullYear();
  for (const element of within.querySelectorAll<HTMLTimeElement>('time[data-show]')) {
    const at = new Date(element.dateTime);
    const show = element.dataset['show'];
    const format: Intl.DateTimeFormatOptions = { day: 'numeric', month: 'short' };
    // This year's moments are most of them, and short ones fit a phone.
    if (at.getFullYear() !== thisYear) format.year = 'numeric';
    if (show !== 'date') Object.assign(format, { hour: 'numeric', minute: '2-digit' });
    if (show === 'exact') format.second = '2-digit';
    element.textContent = at.toLocaleString(language, format);
  }
}
