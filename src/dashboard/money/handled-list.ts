import { type Html, html } from '../../base/http/html.ts';
import type { World } from '../../base/world.ts';
import { postButton } from '../frame/controls.ts';
import { card, emptyState, moment, pagination } from '../frame/parts.ts';
import { type Answer, page, type Visit } from '../frame/route.ts';
import { moneyItem } from './credit-item.ts';
import { moneyHead, moneyPath, readPosition, writePosition } from './money-head.ts';
import { type CreditRow, selectHandledMoney } from './queries/money.ts';

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
  const list = html`<ul class="money">${shown.map(row => moneyItem(visit, row, became(visit, row), undo(visit, row)))}</ul>`;
  const nothing = emptyState(words.handledEmptyTitle, words.handledEmptyText);
  const body = html`${moneyHead(visit, 'handled', words.handledText)}
${card(shown.length === 0 ? nothing : list)}
${pagination(texts, links)}`;
  return page({ title: words.tabs.handled, body });
}

function became({ texts }: Visit, row: CreditRow): Html {
  const words = texts.money;
  const by = row.done_by === 'milaan' || row.done_by === null ? words.byMilaan : row.done_by;
  const where = [
    row.for_order !== null &&
      html`<a class="id" href="/dashboard/orders/${row.for_order}">${row.for_order}</a>`,
    row.return_reference !== null && words.returnedWith(row.return_reference),
  ].filter(Boolean);
  return html`${where.length > 0 && html`<p>${where.map((one, at) => html`${at > 0 && ' · '}${one}`)}</p>`}
${row.note && html`<p><bdi>${row.note}</bdi></p>`}
<p class="quiet"><bdi>${words.decidedBy(by)}</bdi>${row.done_at && html` · ${moment(row.done_at)}`}</p>`;
}

function undo(visit: Visit, { alert_id, state }: CreditRow): Html | null {
  if (!visit.may('money.decide') || (state !== 'kept' && state !== 'given_back')) return null;
  return postButton(`${moneyPath}/${alert_id}/reopen`, visit.texts.money.undo);
}
