import { type Html, html } from '../../http/html.ts';

/** A moment in the viewer's own zone, which the script writes, with UTC on hover. Without script it is UTC. */
export function moment(at: Date, show: 'full' | 'exact' | 'date' = 'full'): Html {
  const iso = at.toISOString();
  const utc = `${iso.slice(0, 10)} ${iso.slice(11, 19)} UTC`;
  const text = show === 'date' ? iso.slice(0, 10) : show === 'exact' ? utc : `${utc.slice(0, 16)} UTC`;
  return html`<time datetime="${iso}" title="${utc}" data-show="${show}">${text}</time>`;
}
