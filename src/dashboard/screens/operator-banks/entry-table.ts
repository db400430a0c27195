import type { Skipped } from '../../../alerts/load-banks.ts';
import type { StoredEntry } from '../../../alerts/queries/bank-entries.ts';
import { type Html, html } from '../../../http/html.ts';
import type { Texts } from '../../../texts/languages.ts';
import { linkButton } from '../../components/controls.ts';
import { badge, moment, table } from '../../components/parts.ts';
import { banksHome } from './shown.ts';

export function entryTable(
  { operatorBanks: words }: Texts,
  entries: readonly StoredEntry[],
  skipped: readonly Skipped[],
  bankName: (id: string) => string,
): Html {
  const problem = (row: StoredEntry) => skipped.find(one => one.entryId === row.entry_id)?.error.message;
  const columns = [
    { title: words.bank, cell: (row: StoredEntry) => bankName(row.bank) },
    {
      title: words.entry,
      cell: (row: StoredEntry) =>
        html`${problem(row) !== undefined && html`${badge(words.skipped, 'bad')} ${words.skippedText(problem(row)!)}`}${row.note !== '' && html`<p>${row.note}</p>`}<pre class="bank-words">${JSON.stringify(row.entry, null, 1)}</pre>`,
    },
    { title: words.savedBy, cell: (row: StoredEntry) => html`<bdi>${row.saved_by}</bdi>` },
    { title: words.savedAt, cell: (row: StoredEntry) => moment(row.saved_at) },
    {
      title: words.remove,
      cell: (row: StoredEntry) =>
        linkButton(`${banksHome}/entries/${row.entry_id}/remove`, words.remove, {
          danger: true,
          plain: true,
        }),
      quiet: true,
    },
  ];
  return table({ caption: words.entries, columns, rows: [...entries].reverse() });
}
