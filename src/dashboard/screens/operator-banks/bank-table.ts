import { type Html, html } from '../../../http/html.ts';
import type { Texts } from '../../../texts/languages.ts';
import { badge, table } from '../../components/parts.ts';
import type { BankFigure, BankSummary } from '../../queries/banks.ts';
import { banksHome } from './shown.ts';

export function bankTable(
  { operatorBanks: words }: Texts,
  banks: readonly BankSummary[],
  bankName: (id: string) => string,
): Html {
  const figures = Object.keys(words.figures) as (keyof BankFigure)[];
  const columns = [
    {
      title: words.bank,
      cell: (row: BankSummary) => html`<a href="${banksHome}/${row.bank}">${bankName(row.bank)}</a>`,
    },
    ...figures.map(figure => ({
      title: words.figures[figure],
      cell: (row: BankSummary) => row[figure].toLocaleString('en-IN'),
      number: true,
    })),
    {
      title: words.news,
      cell: (row: BankSummary) =>
        html`${row.new_skeletons > 0 && badge(words.newSkeletons(row.new_skeletons), 'warn')} ${row.new_sources > 0 && badge(words.newSources(row.new_sources), 'warn')}`,
    },
  ];
  return table({ caption: words.banksTitle, columns, rows: banks });
}
