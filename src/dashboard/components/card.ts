import { type Html, html } from '../../http/html.ts';

type CardOptions = { title?: string /** Links or buttons beside the title. */; actions?: Html; id?: string };

/** A group of things that belong together. */
export function card(body: Html, { title, actions, id }: CardOptions = {}): Html {
  return html`<section class="card"${id !== undefined && html` id="${id}"`}>
${(title !== undefined || actions) && html`<div class="card-head">${title !== undefined && html`<h2>${title}</h2>`}${actions && html`<div class="actions">${actions}</div>`}</div>`}
${body}
</section>`;
}
