import { type Html, type HtmlValue, html } from '../../http/html.ts';

/** Names and values of one thing. */
export function facts(rows: readonly (readonly [name: string, value: HtmlValue] | null)[]): Html {
  const line = ([name, value]: readonly [string, HtmlValue]) =>
    html`<div><dt>${name}</dt><dd>${value}</dd></div>`;
  return html`<dl class="facts">${rows.filter(row => row !== null).map(line)}</dl>`;
}
