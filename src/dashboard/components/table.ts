import { type Html, type HtmlValue, html } from '../../http/html.ts';

export type Column<Row> = {
  title: string;
  cell: (row: Row) => HtmlValue;
  /** Figures stand at the right edge. */
  number?: boolean;
  /** Its title is for screen readers alone: columns of buttons. */
  quiet?: boolean;
  /** Its place in a row of two lines. */
  place?: string;
};

type TableOptions<Row> = {
  caption: string;
  columns: readonly Column<Row>[];
  rows: readonly Row[];
  /** Further attributes of a row, such as an id that a script refreshes. */
  rowId?: (row: Row) => string;
  /** Where there is little room two or three short lines a row, without the titles: each cell at its `place`. */
  brief?: boolean;
};

/** So many stay columns on a phone. */
const fewColumns = 3;

/** Where there is little room each row becomes a small card whose cells carry their column's title. */
export function table<Row>({ caption, columns, rows, rowId, brief = false }: TableOptions<Row>): Html {
  const heads = columns.map(
    column =>
      html`<th scope="col"${column.number && html` class="number"`}>${column.quiet ? html`<span class="unseen">${column.title}</span>` : column.title}</th>`,
  );
  const line = (row: Row) =>
    html`<tr${rowId && html` id="${rowId(row)}"`}>${columns.map(
      column =>
        html`<td data-title="${column.quiet ? '' : column.title}"${classesOf(column)}><div>${column.cell(row)}</div></td>`,
    )}</tr>`;
  const kind = brief ? 'brief' : columns.length > fewColumns ? 'cards' : '';
  return html`<div class="table"><table${kind !== '' && html` class="${kind}"`}>
<caption class="unseen">${caption}</caption>
<thead><tr>${heads}</tr></thead>
<tbody>${rows.map(line)}</tbody>
</table></div>`;
}

function classesOf<Row>({ number, quiet, place }: Column<Row>): Html | null {
  const classes = [number && 'number', quiet && 'do', place].filter(Boolean);
  return classes.length === 0 ? null : html` class="${classes.join(' ')}"`;
}
