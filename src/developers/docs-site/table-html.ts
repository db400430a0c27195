import { type Html, type HtmlValue, html } from '../../base/http/html.ts';

/** From this many columns on, a phone shows each row as a small list, every value with the name of its column. */
const wideFrom = 3;

/** A table that scrolls inside its own box on narrow screens, or folds when it has many columns. */
export function tableHtml(names: readonly string[], rows: readonly (readonly HtmlValue[])[]): Html {
  return html`<div class="table${names.length >= wideFrom && ' wide'}" role="group" aria-label="Table" tabindex="0"><table><thead><tr>${names.map(
    name => html`<th>${name}</th>`,
  )}</tr></thead>
<tbody>${rows.map(
    row => html`<tr>${row.map((value, at) => html`<td data-head="${names[at]}">${value}</td>`)}</tr>`,
  )}</tbody></table></div>`;
}
