import { type Html, html } from '../../base/http/html.ts';
import type { World } from '../../base/world.ts';
import { linkButton, plainLink } from '../frame/controls.ts';
import { card, emptyState, pagination } from '../frame/parts.ts';
import { type Answer, page, type Visit } from '../frame/route.ts';
import { creditItem, moneyItem } from './credit-item.ts';
import { isTaking } from './credit-words.ts';
import { moneyHead, moneyPath, readPosition, writePosition } from './money-head.ts';
import { type CreditRow, selectTakings } from './queries/money.ts';

const perPage = 25;
const path = `${moneyPath}/takings`;

/** Money that came without an order, and that nobody has to decide about. */
export async function takingsList({ sql }: World, visit: Visit): Promise<Answer> {
  const { texts, merchantId, now, query } = visit;
  const words = texts.money;
  const after = readPosition(query.text('after'));
  const rows = await selectTakings(sql, merchantId, { after, limit: perPage + 1, now });
  const shown = rows.slice(0, perPage);
  const last = rows.length > perPage ? shown.at(-1) : undefined;
  const links = {
    newer: after === null ? null : path,
    older: last
      ? `${path}?after=${writePosition({ arrivedAt: last.counted_at, alertId: last.alert_id })}`
      : null,
  };
  const body = html`${moneyHead(visit, 'takings', words.takingsText)}
${card(shown.length === 0 ? emptyState(words.takingsEmptyTitle, words.takingsEmptyText) : html`<ul class="money">${shown.map(row => takingItem(visit, row))}</ul>`)}
${shown.length > 0 && visit.may('orders.export') && html`<div class="actions">${plainLink('/dashboard/orders/export.csv', texts.orders.csv)}</div>`}
${pagination(texts, links)}`;
  return page({ title: words.tabs.takings, body });
}

/** Most are never touched: one line, and the one way on. What somebody has in hand shows how far they have come. */
function takingItem(visit: Visit, row: CreditRow): Html {
  if (!isTaking(row)) return creditItem(visit, row);
  const { bank_reference: reference, alert_id } = row;
  const belongs = linkButton(`${moneyPath}/${alert_id}#orders`, visit.texts.money.belongs, { plain: true });
  return moneyItem(
    visit,
    row,
    reference === null ? null : html`<p class="quiet id">${reference}</p>`,
    visit.may('money.decide') ? belongs : null,
  );
}
