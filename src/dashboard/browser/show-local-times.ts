/** Writes every moment in the viewer's own zone; the UTC time stays as the element's title. */
export function showLocalTimes(within: ParentNode): void {
  const language = document.documentElement.lang === 'hi' ? 'hi-IN' : 'en-IN';
  const full = new Intl.DateTimeFormat(language, { dateStyle: 'medium', timeStyle: 'short' });
  const exact = new Intl.DateTimeFormat(language, { dateStyle: 'medium', timeStyle: 'medium' });
  const date = new Intl.DateTimeFormat(language, { dateStyle: 'medium' });
  for (const element of within.querySelectorAll<HTMLTimeElement>('time[data-show]')) {
    const show = element.dataset['show'];
    const format = show === 'date' ? date : show === 'exact' ? exact : full;
    element.textContent = format.format(new Date(element.dateTime));
  }
}
