import { bankNames } from '../../alerts/banks/bank-support.ts';
import { type Html, html } from '../../base/http/html.ts';
import type { World } from '../../base/world.ts';
import { holdsNearMisses } from '../../payments/matching/queries/payments.ts';
import { vouchFor } from '../../payments/statements/queries/matches.ts';
import { linkButton, plainLink, postButton } from '../frame/controls.ts';
import {
  buttonColumn,
  type Column,
  card,
  emptyState,
  moment,
  note,
  orderLink,
  pagination,
  rupees,
  table,
  titledCard,
} from '../frame/parts.ts';
import { makeChange } from '../frame/record-change.ts';
import { type Answer, fresh, notFound, page, post, redirect, type Visit } from '../frame/route.ts';
import { creditItem, moneyItem } from './credit-item.ts';
import { creditSum, isTaking } from './credit-words.ts';
import { moneyHead, moneyPath, onePage, readPosition } from './money-head.ts';
import {
  type Buyer,
  endOversold,
  type MissingOrder,
  type OversoldRow,
  selectMissing,
  selectOversold,
} from './queries/missing.ts';
import {
  type CreditRow,
  selectCredit,
  selectHandledMoney,
  selectMoneyToDo,
  selectTakings,
  sumMoneyToDo,
} from './queries/money.ts';
import { holdOffer } from './switches.ts';

const perPage = 20;
/** For lists whose entries are mostly one or two lines. */
const linesPerPage = 25;

/** Received money that nobody has finished with. */
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
      : card(html`<p class="quiet">${words.waiting({ count: toDo.count, sum: rupees(toDo.paise) })}</p>
<ul class="money">${shown.map(credit => html`${creditItem(visit, credit)}${credit === firstSlip && html`<li>${holdOffer(visit, moneyPath)}</li>`}`)}</ul>`)
}
${pagination(texts, links)}`;
  return page({ title: texts.shell.navigation.money, body });
}

function hasSlip({ state, near_misses }: CreditRow): boolean {
  return state === 'open' && near_misses.some(near => near.slip);
}

/** The payment that has just left the list, with an undo link: a mistaken tap must not cost a search. */
function doneNote(visit: Visit, credit: CreditRow): Html | null {
  const { done, undo } = visit.texts.money;
  const { state } = credit;
  if (state !== 'kept' && state !== 'given_back') return null;
  return note(
    html`<div class="attention"><p>${done[state]({ sum: creditSum(credit) })}</p>${visit.may('money.decide') && html`<div class="note-link">${postButton(`${moneyPath}/${credit.alert_id}/reopen`, undo)}</div>`}</div>`,
    'good',
  );
}

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
    row.return_reference !== null && words.returnedWith({ reference: row.return_reference }),
  ].filter(Boolean);
  return html`${where.length > 0 && html`<p>${where.map((one, at) => html`${at > 0 && ' · '}${one}`)}</p>`}
${row.note && html`<p><bdi>${row.note}</bdi></p>`}
<p class="quiet"><bdi>${words.decidedBy({ who: by })}</bdi>${row.done_at && html` · ${moment(row.done_at)}`}</p>`;
}

function undo(visit: Visit, { alert_id, state }: CreditRow): Html | null {
  if (!visit.may('money.decide') || (state !== 'kept' && state !== 'given_back')) return null;
  return postButton(`${moneyPath}/${alert_id}/reopen`, visit.texts.money.undo);
}

/** Payments without an order that nobody has to decide about. */
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

/** Most entries are never touched, so they are one line with one link. One that somebody works on shows its state. */
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

const one = `${moneyPath}/missing/:order_id/found` as const;

const mostMissing = 50;

export const missingChanges = [post(one, fresh('money.decide'), found)];

/** The bank's mails reported these payments, but its statement lacks them. A person must look into the account. */
function missingCard(world: World, visit: Visit, orders: readonly MissingOrder[]): Html | null {
  const words = visit.texts.money.missing;
  const count = orders[0]?.count ?? 0;
  if (count === 0) return null;
  const bankName = bankNames(world);
  const columns: Column<MissingOrder>[] = [
    {
      title: visit.texts.labels.order,
      cell: row => orderLink(row.order_id),
    },
    { title: words.sum, cell: row => rupees(row.received_paise), number: true },
    { title: words.told, cell: row => moment(row.told_at) },
    { title: visit.texts.labels.bank, cell: row => bankName(row.bank) },
    buttonColumn(words.found, row => postButton(one.replace(':order_id', row.order_id), words.found)),
  ];
  const rows = visit.may('money.decide') ? columns : columns.slice(0, -1);
  return titledCard({ title: words.title({ count }), id: 'missing' })`
<p>${words.text}</p>${table(words.title({ count }), orders, rows)}
${count > orders.length && html`<p class="quiet">${visit.texts.labels.andMore({ count: count - orders.length })}</p>`}`;
}

async function found(world: World, visit: Visit): Promise<Answer> {
  const { merchantId, params, user, now, texts } = visit;
  const orderId = params['order_id'] ?? '';
  const isNew = await makeChange(world, visit, async tx =>
    (await vouchFor(tx, merchantId, orderId, { by: user.email, now }))
      ? { action: 'statement.found', subject: orderId }
      : null,
  );
  return isNew ? redirect(moneyPath, texts.money.missing.foundFlash) : notFound();
}

export const oversoldChanges = [post(`${moneyPath}/oversold/:order_id/done`, 'money.decide', end)];

/** One piece and two buyers who both paid. A person decides which of them the shop can serve. */
function oversoldCard(visit: Visit, { order_id, title, stock, buyers }: OversoldRow): Html {
  const words = visit.texts.money.oversold;
  const columns = [
    {
      title: visit.texts.labels.order,
      cell: (one: Buyer) => html`<a href="/dashboard/orders/${one.order_id}">${one.order_id}</a>`,
    },
    {
      title: words.buyer,
      cell: (one: Buyer) => html`<bdi>${one.customer ?? one.payer ?? visit.texts.money.unknownPayer}</bdi>`,
    },
    {
      title: visit.texts.orders.paid,
      cell: (one: Buyer) => html`${rupees(one.received_paise)}, ${moment(one.paid_at)}`,
    },
  ];
  return titledCard({ title: words.title({ title }), id: order_id })`
<p>${words.text({ stock })}</p>${table(words.title({ title }), buyers, columns)}
${visit.may('money.decide') && html`<div class="actions">${postButton(`${moneyPath}/oversold/${order_id}/done`, words.done)}</div>`}`;
}

async function end(world: World, visit: Visit): Promise<Answer> {
  const { merchantId, params, now, texts } = visit;
  const orderId = params['order_id'] ?? '';
  const done = await makeChange(world, visit, async tx => {
    const title = await endOversold(tx, merchantId, orderId, now);
    return title === null ? null : { action: 'oversold.end', subject: orderId, details: title };
  });
  return done ? redirect(moneyPath, texts.money.oversold.doneFlash) : notFound();
}
