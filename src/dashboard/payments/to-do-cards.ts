import { bankNames } from '../../alerts/banks/bank-support.ts';
import { type Html, html } from '../../base/http/html.ts';
import { shownName } from '../../base/read-name.ts';
import type { World } from '../../base/world.ts';
import { vouchFor } from '../../payments/statements/queries/matches.ts';
import { postButton } from '../frame/controls.ts';
import { moment, orderLink, rupees, titledCard } from '../frame/parts.ts';
import { makeChange } from '../frame/record-change.ts';
import { type Answer, notFound, post, reauth, redirect, type Visit } from '../frame/route.ts';
import { money, rowList } from '../frame/rows.ts';
import { decidePath, moneyPath } from './credit-words.ts';
import type { MoneyToDo } from './queries/credits.ts';
import {
  endOversold,
  type MissingOrder,
  type OversoldRow,
  selectMissing,
  selectOversold,
} from './queries/missing.ts';

export const toDoChanges = [
  post(`${moneyPath}/missing/:order_id/found`, reauth('money.decide'), found),
  post(`${moneyPath}/oversold/:order_id/done`, 'money.decide', end),
];

/** Above the payments to decide: their sum, and other questions that wait for a person. */
export async function toDoCards(world: World, visit: Visit, toDo: MoneyToDo): Promise<Html> {
  const { merchantId, now, texts } = visit;
  const [missing, oversold] = await Promise.all([
    selectMissing(world.sql, merchantId, { now, limit: mostMissing }),
    selectOversold(world.sql, merchantId),
  ]);
  return html`${toDo.count > 0 && html`<p class="small quiet">${texts.payments.decide.text} ${texts.money.waiting({ count: toDo.count, sum: rupees(toDo.paise) })}</p>`}
${missingCard(world, visit, missing)}${oversold.map(one => oversoldCard(visit, one))}`;
}

const mostMissing = 50;

/** The bank's mails reported these payments, but its statement lacks them. A person must look into the account. */
function missingCard(world: World, visit: Visit, orders: readonly MissingOrder[]): Html | null {
  const words = visit.texts.money.missing;
  const count = orders[0]?.count ?? 0;
  if (count === 0) return null;
  const bankName = bankNames(world);
  const rows = orders.map(row => ({
    who: orderLink(row.order_id),
    what: bankName(row.bank),
    when: html`${words.fromMail} ${moment(row.told_at)}`,
    sum: money(row.received_paise),
    state: visit.may('money.decide') && postButton(`${moneyPath}/missing/${row.order_id}/found`, words.found),
  }));
  return titledCard({ title: words.title({ count }), id: 'missing' })`
<p>${words.text}</p>${rowList(rows)}
${count > orders.length && html`<p class="quiet">${visit.texts.labels.andMore({ count: count - orders.length })}</p>`}`;
}

async function found(world: World, visit: Visit): Promise<Answer> {
  const { merchantId, params, user, now, texts } = visit;
  const orderId = params['order_id']!;
  const isNew = await makeChange(world, visit, async tx =>
    (await vouchFor(tx, merchantId, orderId, { by: user.email, now }))
      ? { action: 'statement.found', subject: orderId }
      : null,
  );
  return isNew ? redirect(decidePath, texts.money.missing.foundFlash) : notFound();
}

/** One piece and two buyers who both paid. A person decides which of them the shop can serve. */
function oversoldCard(visit: Visit, { order_id, title, stock, buyers }: OversoldRow): Html {
  const words = visit.texts.money.oversold;
  const rows = buyers.map(one => ({
    href: `/dashboard/orders/${one.order_id}`,
    who: html`<bdi>${shownName(one.customer) || shownName(one.payer) || visit.texts.money.unknownPayer}</bdi>`,
    what: one.order_id,
    when: moment(one.paid_at),
    sum: money(one.received_paise),
  }));
  return titledCard({ title: words.title({ title }), id: order_id })`
<p>${words.text({ stock })}</p>${rowList(rows, { label: words.buyer })}
${visit.may('money.decide') && html`<div class="actions">${postButton(`${moneyPath}/oversold/${order_id}/done`, words.done)}</div>`}`;
}

async function end(world: World, visit: Visit): Promise<Answer> {
  const { merchantId, params, now, texts } = visit;
  const orderId = params['order_id']!;
  const done = await makeChange(world, visit, async tx => {
    const title = await endOversold(tx, merchantId, orderId, now);
    return title === null ? null : { action: 'oversold.end', subject: orderId, details: title };
  });
  return done ? redirect(decidePath, texts.money.oversold.doneFlash) : notFound();
}
