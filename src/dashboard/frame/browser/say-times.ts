import { sayTime, type TimeForm } from '../../../texts/say-time.ts';

/** Writes every moment in the language of the page, by the clocks of India, and what is of today as today. */
export function sayTimes(part: ParentNode): void {
  for (const element of part.querySelectorAll<HTMLTimeElement>('time[data-show]')) {
    const form = element.dataset['show'] as TimeForm;
    element.textContent = sayTime(
      document.documentElement.lang,
      new Date(element.dateTime),
      form,
      form === 'exact' ? undefined : new Date(),
    );
  }
}
