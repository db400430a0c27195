import { html } from '../../base/http/html.ts';
import type { World } from '../../base/world.ts';
import { fromAll } from '../../operator/cells/in-each-cell.ts';
import { postButton } from '../frame/controls.ts';
import { emptyState, moment, screen } from '../frame/parts.ts';
import { makeChange } from '../frame/record-change.ts';
import { type Answer, get, notFound, post, reauth, redirect, type Visit } from '../frame/route.ts';
import { rowList } from '../frame/rows.ts';
import { healthTabs, home, merchantLink, section } from './change-merchant.ts';
import { selectOddities, selectReports, settleReport } from './queries/watch.ts';

const path = `${home}/watch` as const;

export const watchRoutes = [
  get(path, 'operator', showWatch),
  post(`${path}/:merchant_id/:order_id/done`, reauth('operator'), settle),
];

async function showWatch(world: World, { texts, now }: Visit): Promise<Answer> {
  const words = texts.operatorPlatform;
  const [reports, oddities] = await Promise.all([
    fromAll(world, ({ sql }) => selectReports(sql)),
    fromAll(world, ({ sql }) => selectOddities(sql, now)),
  ]);
  const reportRows = reports.map(row => ({
    who: merchantLink(row),
    what: html`${words.reportedOrder}: ${row.order_id}${row.note !== '' && html`<br><bdi class="lines">${row.note}</bdi>`}`,
    when: moment(row.reported_at),
    state: postButton(`${path}/${row.merchant_id}/${encodeURIComponent(row.order_id)}/done`, words.settle),
  }));
  const twin = (id: number) => {
    const cell = String(world.cells?.of(id).cell ?? 0);
    const name = words.otherCell({ id: String(id), cell });
    return html`<br>${merchantLink({ merchant_id: id, name })}<br>${words.otherCellText({ cell })}`;
  };
  const oddRows = oddities.map(row => ({
    who: merchantLink(row),
    what: html`${words.oddKinds[row.kind]}${row.what !== '' && html`: <bdi>${row.what}</bdi>`}${row.same_as !== null && twin(row.same_as)}`,
  }));
  return screen(texts.operator.navigation.operatorHealth, { quietOnPhone: true })`
${healthTabs(texts, 'operatorWatch')}
<p class="quiet">${words.watchText}</p>
${section(words.watch)`${reports.length === 0 ? emptyState(words.noReports, words.noReportsText, undefined, 'tick') : rowList(reportRows)}`}
${section(words.odd)`${oddities.length === 0 ? emptyState(words.noOdd, words.noOddText, undefined, 'tick') : rowList(oddRows)}`}`;
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
