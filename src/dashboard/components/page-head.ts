import { type Html, html } from '../../http/html.ts';

type PageHeadOptions = {
  /** One quiet line below. */ text?: string;
  actions?: Html;
  back?: { href: string; text: string };
};

/** The page's one h1. */
export function pageHead(title: string, { text, actions, back }: PageHeadOptions = {}): Html {
  return html`<header class="page-head">
${back && html`<p><a href="${back.href}">← ${back.text}</a></p>`}
<div class="card-head"><h1>${title}</h1>${actions && html`<div class="actions">${actions}</div>`}</div>
${text !== undefined && html`<p class="quiet">${text}</p>`}
</header>`;
}
