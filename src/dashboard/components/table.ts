import { type Html, type HtmlValue, html } from '../../http/html.ts';

export type Column<Row> = {
  title: string;
  cell: (row: Row) => HtmlValue;
  /** Figures stand at the right edge. */
  number?: boolean;
  /** Its title is for screen readers alone: columns of buttons. */
  quiet?: boolean;
};

type TableOptions<Row> = {
  caption: string;
  columns: readonly Column<Row>[];
  rows: readonly Row[];
  /** Further attributes of a row, such as an id that a script refreshes. */
  rowId?: (row: Row) => string;
  /** On a phone two short lines a row, without the titles of the columns: id, status, amount, name, time. */
  brief?: boolean;
};

/** On a phone each row becomes a small card whose cells carry their column's title. */
export function table<Row>({ caption, columns, rows, rowId, brief = false }: TableOptions<Row>): Html {
  const heads = columns.map(
    column =>
      html`<th scope="col"${column.number && html` class="number"`}>${column.quiet ? html`<span class="unseen">${column.title}</span>` : column.title}</th>`,
  );
  const line = (row: Row) =>
    html`<tr${rowId && html` id="${rowId(row)}"`}>${columns.map(
      column =>
        html`<td data-title="${column.quiet ? '' : column.title}"${column.number && html` class="number"`}${column.quiet && html` class="do"`}><div>${column.cell(row)}</div></td>`,
    )}</tr>`;
  return html`<div class="table${brief && ' brief'}"><table>
<caption class="unseen">${caption}</caption>
<thead><tr>${heads}</tr></thead>
<tbody>${rows.map(line)}</tbody>
</table></div>`;
}
