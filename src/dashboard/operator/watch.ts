import { html } from '../../base/http/html.ts';
import type { World } from '../../base/world.ts';
import { fromAll } from '../../operator/cells/in-each-cell.ts';
import { postButton } from '../frame/controls.ts';
import { buttonColumn, card, emptyState, moment, screen, table } from '../frame/parts.ts';
import { makeChange } from '../frame/record-change.ts';
import { type Answer, fresh, get, notFound, post, redirect, type Visit } from '../frame/route.ts';
import { businessLink, healthTabs, home } from './change-business.ts';
import { type Oddity, type Report, selectOddities, selectReports, settleReport } from './queries/watch.ts';

const path = `${home}/watch` as const;

export const watchRoutes = [
  get(path, 'operator', showWatch),
  post(`${path}/:merchant_id/:order_id/done`, fresh('operator'), settle),
];

async function showWatch(world: World, { texts, now }: Visit): Promise<Answer> {
  const words = texts.operatorPlatform;
  const [reports, oddities] = await Promise.all([
    fromAll(world, ({ sql }) => selectReports(sql)),
    fromAll(world, ({ sql }) => selectOddities(sql, now)),
  ]);
  const business = { title: texts.labels.business, cell: businessLink };
  const twin = (id: number) => {
    const cell = String(world.cells?.of(id).cell ?? 0);
    const name = words.otherCell({ id: String(id), cell });
    return html`<p>${businessLink({ merchant_id: id, name })}</p><p>${words.otherCellText({ cell })}</p>`;
  };
  const reportColumns = [
    business,
    { title: words.reportedOrder, cell: (row: Report) => row.order_id },
    { title: words.said, cell: (row: Report) => html`<bdi class="lines">${row.note}</bdi>` },
    { title: texts.labels.since, cell: (row: Report) => moment(row.reported_at) },
    buttonColumn(words.settle, (row: Report) =>
      postButton(`${path}/${row.merchant_id}/${encodeURIComponent(row.order_id)}/done`, words.settle),
    ),
  ];
  const oddColumns = [
    business,
    {
      title: words.oddKind,
      cell: (row: Oddity) =>
        html`${words.oddKinds[row.kind]}${row.what !== '' && html`: <bdi>${row.what}</bdi>`}${row.same_as !== null && twin(row.same_as)}`,
    },
  ];
  return screen(texts.shell.navigation.operatorHealth, { quietOnPhone: true })`
${healthTabs(texts, 'operatorWatch')}
<p class="quiet">${words.watchText}</p>
${card(
  reports.length === 0
    ? emptyState(words.noReports, words.noReportsText)
    : table(words.watch, reports, reportColumns),
)}
${card(
  oddities.length === 0 ? emptyState(words.noOdd, words.noOddText) : table(words.odd, oddities, oddColumns),
  { title: words.odd },
)}`;
}

async function settle(world: World, visit: Visit): Promise<Answer> {
  const { params, user, now, texts } = visit;
  const [merchant = '', orderId = ''] = [params['merchant_id'], params['order_id']];
  if (!/^\d{1,15}$/.test(merchant)) return notFound();
  const settled = await makeChange(world, visit, async tx =>
    (await settleReport(tx, { merchantId: Number(merchant), orderId }, { email: user.email, now }))
      ? { action: 'report.settle', subject: orderId }
      : null,
  );
  return settled ? redirect(path, texts.operatorPlatform.settledFlash) : notFound();
}
