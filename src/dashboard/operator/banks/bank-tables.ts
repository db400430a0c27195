import type { Skipped } from '../../../alerts/banks/load-banks.ts';
import type { StoredEntry } from '../../../alerts/book/queries.ts';
import { type Html, html } from '../../../base/http/html.ts';
import type { Texts } from '../../../texts/languages.ts';
import { dangerLink, linkButton, postButton } from '../../frame/controls.ts';
import { badge, buttonColumn, type Column, card, moment, table } from '../../frame/parts.ts';
import type { BankFigure, BankSummary, HeldLineRow } from '../queries/banks.ts';

export function bankTable(
  { labels, operatorBanks: words }: Texts,
  banks: readonly BankSummary[],
  bankName: (id: string) => string,
): Html {
  const figures = Object.keys(words.figures) as (keyof BankFigure)[];
  const columns: Column<BankSummary>[] = [
    {
      title: labels.bank,
      cell: row => html`<a href="${banksHome}/${row.bank}">${bankName(row.bank)}</a>`,
    },
    ...figures.map(figure => ({
      title: words.figures[figure],
      cell: (row: BankSummary) => row[figure].toLocaleString('en-IN'),
      number: true,
    })),
    {
      title: words.news,
      cell: row =>
        html`${row.new_skeletons > 0 && badge(words.newSkeletons({ count: row.new_skeletons }), 'warn')} ${row.new_sources > 0 && badge(words.newSources({ count: row.new_sources }), 'warn')}`,
    },
  ];
  return table(words.banksTitle, banks, columns);
}

export const banksHome = '/dashboard/operator/banks';
/** The figures go back so many days, and something counts as new for as long. */
export const shownDays = 30;
export const newForDays = 7;

export function entryTable(
  { labels, operatorBanks: words }: Texts,
  entries: readonly StoredEntry[],
  skipped: readonly Skipped[],
  bankName: (id: string) => string,
): Html {
  const problem = (row: StoredEntry) => skipped.find(one => one.entryId === row.entry_id)?.error.message;
  const columns: Column<StoredEntry>[] = [
    { title: labels.bank, cell: row => bankName(row.bank) },
    {
      title: words.entry,
      cell: row =>
        html`${problem(row) !== undefined && html`${badge(words.skipped, 'bad')} ${words.skippedText({ problem: problem(row)! })}`}${row.note !== '' && html`<p>${row.note}</p>`}<pre class="bank-words">${JSON.stringify(row.entry, null, 1)}</pre>`,
    },
    { title: labels.by, cell: row => html`<bdi>${row.saved_by}</bdi>` },
    { title: labels.when, cell: row => moment(row.saved_at) },
    buttonColumn(labels.remove, row =>
      dangerLink(`${banksHome}/entries/${row.entry_id}/remove`, labels.remove),
    ),
  ];
  return table(words.entries, [...entries].reverse(), columns);
}

/** Each line as it would be listed, with its mail: the operator must see who wrote the words. */
export function heldLineCards(
  { operatorBanks: words }: Texts,
  lines: readonly HeldLineRow[],
  bankName: (id: string) => string,
): Html {
  const one = (row: HeldLineRow) => {
    const path = `${banksHome}/lines/${row.line_id}`;
    return html`<article class="held-line" id="line-${row.line_id}">
<h3>${bankName(row.bank)}</h3>
<p class="quiet">${words.heldCount({ mails: row.held, businesses: row.businesses })} · ${words.first} ${moment(row.first_seen)}</p>
<p class="quiet">${words.asListed}</p>
<pre class="bank-words"><bdi>${row.line}</bdi></pre>
<details open><summary>${words.example}</summary><pre class="bank-words"><bdi>${row.surroundings}</bdi></pre></details>
<div class="actions">${linkButton(`${path}/list`, words.list)}${postButton(`${path}/dismiss`, words.dismiss)}</div>
</article>`;
  };
  return card(html`<p>${words.heldText}</p>${lines.map(one)}`, { title: words.heldTitle, id: 'lines' });
}
