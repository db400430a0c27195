import { type Html, html } from '../../http/html.ts';

/** What has just happened, said once. */
export function flashMessage(text: string | null): Html | null {
  return text === null ? null : html`<p class="flash" role="status">${text}</p>`;
}

/** A note that stays: something to know or to do. */
export function note(body: Html | string, tone: 'good' | 'warn' | 'bad' = 'warn'): Html {
  return html`<div class="note ${tone}">${body}</div>`;
}
