import { hour, later, minute } from '../../clock.ts';
import { type Html, html } from '../../http/html.ts';

const indianOffset = 5 * hour + 30 * minute;

/** A moment in the viewer's own zone, which the script writes, with UTC on hover. Without script it is India's time. */
export function moment(at: Date, show: 'full' | 'exact' | 'date' = 'full'): Html {
  const iso = at.toISOString();
  const utc = `${iso.slice(0, 10)} ${iso.slice(11, 19)} UTC`;
  const [day = '', time = ''] = later(at, indianOffset).toISOString().split('T');
  const text = show === 'date' ? day : `${day} ${time.slice(0, show === 'exact' ? 8 : 5)} IST`;
  return html`<time datetime="${iso}" title="${utc}" data-show="${show}">${text}</time>`;
}
