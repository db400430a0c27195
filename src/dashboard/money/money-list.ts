import { type Html, html } from '../../base/http/html.ts';
import type { World } from '../../base/world.ts';
import { holdsNearMisses } from '../../payments/matching/queries/payments.ts';
import { linkButton, plainLink, postButton } from '../frame/controls.ts';
import { card, emptyState, moment, note, orderLink, pagination, rupees } from '../frame/parts.ts';
import { type Answer, page, type Visit } from '../frame/route.ts';
import { creditItem, moneyItem } from './credit-item.ts';
import { creditSum, isTaking } from './credit-words.ts';
import { missingCard, mostMissing, oversoldCard } from './missing-card.ts';
import { moneyHead, moneyPath, onePage, readPosition } from './money-head.ts';
import { selectMissing } from './queries/missing.ts';
import {
  type CreditRow,
  selectCredit,
  selectHandledMoney,
  selectMoneyToDo,
  selectTakings,
  sumMoneyToDo,
} from './queries/money.ts';
import { selectOversold } from './queries/oversold.ts';
import { holdOffer } from './switches.ts';

const perPage = 20;
/** Where most of them are a line or two. */
const linesPerPage = 25;

/** Money that came in and that nobody has brought to an end. */
export async function moneyList(world: World, visit: Visit): Promise<Answer> {
  const { sql } = world;
  const { texts, merchantId, now, query } = visit;
  const words = texts.money;
  const after = readPosition(query.text('after'));
  const [missing, oversold, rows, toDo, holds, done, takings] = await Promise.all([
    after === null ? selectMissing(sql, merchantId, { now, limit: mostMissing }) : [],
    after === null ? selectOversold(sql, merchantId) : [],
    selectMoneyToDo(sql, merchantId, { after, limit: perPage + 1, now }),
    sumMoneyToDo(sql, merchantId, now),
    holdsNearMisses(sql, merchantId),
    selectCredit(sql, merchantId, query.text('done'), now),
    selectTakings(sql, merchantId, { after: null, limit: 1, now }),
  ]);
  const { shown, links } = onePage(visit, moneyPath, rows, perPage, row => row.arrived_at);
  const firstSlip = holds ? undefined : shown.find(hasSlip);
  const body = html`${moneyHead(visit, 'toDo', words.text, takings.length > 0)}
${done && doneNote(visit, done)}
${missingCard(world, visit, missing)}
${oversold.map(one => oversoldCard(visit, one))}
${
  shown.length === 0 && links.newer === null && oversold.length > 0
    ? null
    : shown.length === 0 && links.newer === null
      ? card(
          emptyState(words.emptyTitle, words.emptyText, plainLink(`${moneyPath}/handled`, words.seeHandled)),
        )
      : card(html`<p class="quiet">${words.waiting(toDo.count, rupees(toDo.paise))}</p>
<ul class="money">${shown.map(credit => html`${creditItem(visit, credit)}${credit === firstSlip && html`<li>${holdOffer(visit, moneyPath)}</li>`}`)}</ul>`)
}
${pagination(texts, links)}`;
  return page({ title: texts.shell.navigation.money, body });
}

function hasSlip({ state, near_misses }: CreditRow): boolean {
  return state === 'open' && near_misses.some(near => near.slip);
}

/** What has just left the list, with the way back: a slip of the thumb must not cost a search. */
function doneNote(visit: Visit, credit: CreditRow): Html | null {
  const { done, undo } = visit.texts.money;
  const { state } = credit;
  if (state !== 'kept' && state !== 'given_back') return null;
  return note(
    html`<div class="attention"><p>${done[state](creditSum(credit))}</p>${visit.may('money.decide') && html`<div class="note-link">${postButton(`${moneyPath}/${credit.alert_id}/reopen`, undo)}</div>`}</div>`,
    'good',
  );
}

/** What became of money that needed a person, and by whom. */
export async function handledList({ sql }: World, visit: Visit): Promise<Answer> {
  const { texts, merchantId, now, query } = visit;
  const words = texts.money;
  const after = readPosition(query.text('after'));
  const rows = await selectHandledMoney(sql, merchantId, { after, limit: linesPerPage + 1, now });
  const { shown, links } = onePage(visit, `${moneyPath}/handled`, rows, linesPerPage, row => row.done_at!);
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
    row.for_order !== null && orderLink(row.for_order),
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

/** Money that came without an order, and that nobody has to decide about. */
export async function takingsList({ sql }: World, visit: Visit): Promise<Answer> {
  const { texts, merchantId, now, query } = visit;
  const words = texts.money;
  const after = readPosition(query.text('after'));
  const rows = await selectTakings(sql, merchantId, { after, limit: linesPerPage + 1, now });
  const { shown, links } = onePage(visit, `${moneyPath}/takings`, rows, linesPerPage, row => row.counted_at);
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
