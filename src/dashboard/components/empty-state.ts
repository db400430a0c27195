import { type Html, html } from '../../http/html.ts';

/** A list without entries says why, and what to do next. */
export function emptyState(title: string, text: string, next?: Html): Html {
  return html`<div class="empty"><p><strong>${title}</strong></p><p class="quiet">${text}</p>${next && html`<div class="actions">${next}</div>`}</div>`;
}
