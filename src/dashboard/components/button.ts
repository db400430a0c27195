import { type Html, html } from '../../http/html.ts';

type Look = { danger?: boolean; plain?: boolean };

/** Submits the form around it; of several, `answer` tells which one was pressed. */
export function button(text: string, { answer, ...look }: Look & { answer?: string } = {}): Html {
  return html`<button class="${classes(look)}"${answer !== undefined && html` name="answer" value="${answer}"`}>${text}</button>`;
}

/** Looks like a button and leads to a page. */
export function linkButton(href: string, text: string, look: Look = {}): Html {
  return html`<a class="${classes(look)}" href="${href}">${text}</a>`;
}

function classes({ danger = false, plain = false }: Look): string {
  return ['button', danger && 'danger', plain && 'plain'].filter(Boolean).join(' ');
}
