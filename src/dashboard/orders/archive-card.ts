import { type Html, html } from '../../base/http/html.ts';
import type { Archive } from '../../orders/history/queries/archives.ts';
import { sayDay } from '../../texts/say-time.ts';
import { type Column, table, titledCard } from '../frame/parts.ts';
import type { Visit } from '../frame/route.ts';

/** §1: records that left the history window can be downloaded from the Orders screen. */
export function archiveCard(
  visit: Visit,
  archives: readonly Archive[],
  historyDays: number | null,
): Html | null {
  if (historyDays === null && archives.length === 0) return null;
  const words = visit.texts.orders;
  const columns: Column<Archive>[] = [
    { title: visit.texts.labels.month, cell: archive => sayDay(visit.texts.tag, archive.month) },
    { title: visit.texts.shell.navigation.orders, cell: archive => archive.orders, number: true },
    {
      title: words.download,
      cell: archive =>
        visit.may('orders.export') &&
        html`<a href="/dashboard/orders/archives/${archive.month}.csv">${words.download} (CSV)</a>`,
    },
  ];
  return titledCard({ title: words.archives })`
${historyDays !== null && html`<p class="quiet">${words.archivesText(historyDays)}</p>`}
${archives.length === 0 ? html`<p>${words.archivesEmpty}</p>` : table({ caption: words.archives, columns, rows: archives })}`;
}
