import { type Html, html } from '../../../http/html.ts';
import type { World } from '../../../world.ts';
import { card } from '../../components/card.ts';
import { emptyState } from '../../components/empty-state.ts';
import { postButton } from '../../components/form.ts';
import { moment } from '../../components/moment.ts';
import { pagination } from '../../components/pagination.ts';
import { table } from '../../components/table.ts';
import { type CreditRow, selectHandledMoney } from '../../queries/money.ts';
import { type Answer, page, type Visit } from '../../route.ts';
import { readPosition, writePosition } from './alert-position.ts';
import { creditBadge, creditSum } from './credit-words.ts';
import { moneyHead, moneyPath } from './money-head.ts';

const perPage = 25;
const path = `${moneyPath}/handled`;

/** What became of money that needed a person, and by whom. */
export async function handledList({ sql }: World, visit: Visit): Promise<Answer> {
  const { texts, merchantId, now, query } = visit;
  const words = texts.money;
  const after = readPosition(query.text('after'));
  const rows = await selectHandledMoney(sql, merchantId, { after, limit: perPage + 1, now });
  const shown = rows.slice(0, perPage);
  const last = shown.at(-1);
  const links = {
    newer: after === null ? null : path,
    older:
      rows.length > perPage && last?.done_at
        ? `${path}?after=${writePosition({ arrivedAt: last.done_at, alertId: last.alert_id })}`
        : null,
  };
  const nothing = emptyState(words.handledEmptyTitle, words.handledEmptyText);
  const body = html`${moneyHead(visit, 'handled', words.handledText)}
${card(shown.length === 0 ? nothing : handledTable(visit, shown))}
${pagination(texts, links)}`;
  return page({ title: words.tabs.handled, body });
}

function handledTable(visit: Visit, rows: readonly CreditRow[]): Html {
  const words = visit.texts.money;
  return table<CreditRow>({
    caption: words.tabs.handled,
    rows,
    columns: [
      {
        title: words.payment(''),
        cell: row =>
          html`<a class="money-sum" href="${moneyPath}/${row.alert_id}">${creditSum(row)}</a><br><bdi class="quiet">${row.payer ?? words.unknownPayer}</bdi>`,
      },
      { title: words.became, cell: row => became(visit, row) },
      {
        title: words.by,
        cell: row => html`<bdi>${row.done_by === 'milaan' ? words.byMilaan : row.done_by}</bdi>`,
      },
      { title: words.when, cell: row => row.done_at && moment(row.done_at) },
      {
        title: words.undo,
        quiet: true,
        cell: row =>
          (row.state === 'kept' || row.state === 'given_back') &&
          visit.may('money.decide') &&
          postButton(`${moneyPath}/${row.alert_id}/reopen`, words.undo),
      },
    ],
  });
}

function became({ texts }: Visit, row: CreditRow): Html {
  const { returnedWith } = texts.money;
  return html`<span>${creditBadge(texts, row)}${row.for_order !== null && html` <a class="id" href="/dashboard/orders/${row.for_order}">${row.for_order}</a>`}${row.return_reference !== null && html` ${returnedWith(row.return_reference)}`}${row.note && html`<br><bdi class="quiet">${row.note}</bdi>`}</span>`;
}
