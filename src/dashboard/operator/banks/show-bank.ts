import { bankNames } from '../../../alerts/banks/bank-names.ts';
import { day, later } from '../../../base/clock.ts';
import { type Html, html } from '../../../base/http/html.ts';
import type { World } from '../../../base/world.ts';
import type { Texts } from '../../../texts/languages.ts';
import { barChart, dayBar } from '../../frame/bar-chart.ts';
import { badge, type Column, card, moment, screen, table, titledCard } from '../../frame/parts.ts';
import { type Answer, notFound, type Visit } from '../../frame/route.ts';
import {
  type BankDay,
  type BankFigure,
  type SeenRow,
  type SourceRow,
  selectBankBegin,
  selectBankDays,
  selectSkeletons,
  selectSources,
} from '../queries/banks.ts';
import { banksHome, newForDays, shownDays } from './bank-tables.ts';

const shownSkeletons = 30;

export async function showBank(world: World, { texts, params, now }: Visit): Promise<Answer> {
  const words = texts.operatorBanks;
  const bank = world.banks.current().find(one => one.id === params['bank']);
  if (!bank) return notFound();
  const [days, skeletons, sources, begun] = await Promise.all([
    selectBankDays(world.sql, bank.id, { now, days: shownDays }),
    selectSkeletons(world.sql, bank.id, shownSkeletons),
    selectSources(world.sql, bank.id),
    selectBankBegin(world.sql, bank.id),
  ]);
  // What a bank showed when it was first heard of is no news.
  const isNew = ({ first_seen }: SeenRow) =>
    first_seen > later(now, -newForDays * day) && first_seen > later(begun ?? now, newForDays * day);
  const title = bankNames(world)(bank.id);
  return screen(title, { back: { href: banksHome, text: texts.shell.navigation.operatorBanks } })`
${charts(texts, days)}
${titledCard({ title: words.skeletons })`
<p class="quiet">${skeletons.length === 0 ? words.skeletonsNone : words.skeletonsText}</p>
${skeletons.map(
  one => html`<details class="skeleton"><summary>${isNew(one) && html`${badge(words.isNew, 'warn')} `}<span class="id">${one.template}</span> · ${words.count}: ${one.mails} · ${words.first} ${moment(one.first_seen, 'date')} · ${words.last} ${moment(one.last_seen, 'date')}</summary>
<pre class="bank-words">${one.skeleton}</pre></details>`,
)}`}
${card(
  sources.length === 0 ? html`<p class="quiet">${words.sourcesNone}</p>` : sourceTable(texts, sources, isNew),
  { title: words.sources },
)}`;
}

function charts({ labels, operatorBanks: words, tag }: Texts, days: readonly BankDay[]): Html {
  const names = Object.keys(words.figures) as (keyof BankFigure)[];
  const one = (name: keyof BankFigure) => {
    const total = days.reduce((sum, each) => sum + each[name], 0);
    const scale = (amount: number) => amount.toLocaleString('en-IN');
    const bars = days.map(each => dayBar(tag, each.day, each[name], scale(each[name])));
    const summary = words.chart({ name: words.figures[name], total, days: days.length });
    return card(html`<p class="quiet">${words.figures[name]}</p><p class="figure">${total.toLocaleString('en-IN')}</p>
${barChart({ id: name, summary, bars, scale })}`);
  };
  const columns = [
    { title: labels.day, cell: (each: BankDay) => each.day },
    ...names.map(name => ({
      title: words.figures[name],
      cell: (each: BankDay) => each[name],
      number: true,
    })),
  ];
  return html`<h2>${words.banksTitle}</h2>
<div class="figures">${names.map(one)}</div>
<details><summary>${words.asTable}</summary>${table(words.banksTitle, [...days].reverse(), columns)}</details>`;
}

function sourceTable(
  { operatorBanks: words }: Texts,
  sources: readonly SourceRow[],
  isNew: (row: SeenRow) => boolean,
): Html {
  const columns: Column<SourceRow>[] = [
    {
      title: words.source,
      cell: row => html`<bdi>${row.source}</bdi> ${isNew(row) && badge(words.isNew, 'warn')}`,
    },
    {
      title: words.kind,
      cell: row =>
        row.kind === 'unlisted_domain' ? badge(words.kinds[row.kind], 'bad') : words.kinds[row.kind],
    },
    { title: words.count, cell: row => row.mails.toLocaleString('en-IN'), number: true },
    { title: words.first, cell: row => moment(row.first_seen, 'date') },
    { title: words.last, cell: row => moment(row.last_seen, 'date') },
  ];
  return table(words.sources, sources, columns);
}
