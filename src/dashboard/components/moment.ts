import { type Html, html } from '../../http/html.ts';
import { sayTime } from '../../texts/say-time.ts';

/** A moment by India's clocks, with the machine's form on hover. The script writes it in the page's language, and today as today. */
export function moment(at: Date, show: 'full' | 'exact' | 'date' = 'full'): Html {
  const iso = at.toISOString();
  return html`<time datetime="${iso}" title="${iso}" data-show="${show}">${sayTime('en', at, show)}</time>`;
}
