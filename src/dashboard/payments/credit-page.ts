import { bankNames } from '../../alerts/banks/bank-support.ts';
import { type Html, html } from '../../base/http/html.ts';
import { shownName } from '../../base/read-name.ts';
import type { World } from '../../base/world.ts';
import { selectTwins } from '../../payments/matching/queries/twins.ts';
import { fold } from '../frame/choosing.ts';
import { button, copyable, linkButton, postButton } from '../frame/controls.ts';
import { icon } from '../frame/icon.ts';
import { facts, moment, orderLink, pageHead, shortSum } from '../frame/parts.ts';
import { type Answer, notFound, page, type Visit } from '../frame/route.ts';
import { money, rowList, state } from '../frame/rows.ts';
import { sayActors } from '../team/say-actors.ts';
import {
  creditKind,
  creditStory,
  decidePath,
  isOrderless,
  likelyOrder,
  moneyPath,
  noteField,
  twinList,
} from './credit-words.ts';
import { decision, orderSearch, otherOrders, searchUnpaid } from './decision.ts';
import { evidence } from './evidence.ts';
import { creditRow, orderRow, shortTime } from './payment-rows.ts';
import {
  type CreditRow,
  selectCredit,
  selectLikelyOrders,
  selectMoneyToDo,
  selectOrdersAround,
} from './queries/credits.ts';
import { type ListedOrder, selectOneOrder } from './queries/orders.ts';

/** So many others that wait are named next to a decision. */
const mostOthers = 5;

/**
 * One decision: the likeliest order first, then giving back or keeping, then everything else folded. With an order in
 * the address, the decision is about that one.
 */
export async function creditPage({ sql, banks }: World, visit: Visit): Promise<Answer> {
  const { texts, merchantId, params, now } = visit;
  const words = texts.payments.decide;
  const credit = await selectCredit(sql, merchantId, params['alert_id']!, now);
  const named = params['order_id'];
  const asked = named === undefined ? null : await selectOneOrder(sql, merchantId, named, now);
  if (!credit || (named !== undefined && !asked)) return notFound();
  const [twins, likely, around, found, toDo] = await Promise.all([
    selectTwins(sql, merchantId, credit.alert_id),
    selectLikelyOrders(sql, merchantId, credit, now),
    selectOrdersAround(sql, merchantId, credit, now),
    searchUnpaid(sql, visit),
    selectMoneyToDo(sql, merchantId, { limit: mostOthers + 1, now }),
  ]);
  const others = toDo.filter(one => one.alert_id !== credit.alert_id).slice(0, mostOthers);
  const mayDecide = visit.may('money.decide');
  const isOpen = credit.state === 'open';
  const canEnd = mayDecide && (isOpen || credit.state === 'to_give_back');
  const only = isOpen ? likelyOrder(credit)?.order_id : undefined;
  const likeliest = found === null ? likely.find(order => order.order_id === only) : undefined;
  const shown = asked ?? likeliest;
  const isWaiting =
    (isOpen && !isOrderless(credit)) || credit.state === 'to_give_back' || credit.state === 'attached';
  // The card says why its order is likely, but not what became of an exact payment before.
  const isAboutOrder = credit.verdict === 'no_order' && credit.order_id !== null;
  const [next] = others;
  const actions =
    isWaiting && next && html`<a class="link later" href="${moneyPath}/${next.alert_id}">${words.later}</a>`;
  const back = { href: isWaiting ? decidePath : '/dashboard/payments', text: texts.payments.views.place };
  const choice = isOpen && mayDecide && chooseOrder(visit, credit, { likely, around, found });
  const body = html`${pageHead(isWaiting ? texts.payments.views.decide : texts.payments.one.title, { back, ...(actions && { actions }) })}
<div class="columns one"><div class="stack">${came(visit, credit, shown === undefined || isAboutOrder)}
${shown ? html`<section class="card likely">${shown === likeliest && html`<p class="small good"><b>${words.likely}</b></p>`}${decision(visit, shown, credit, twins)}</section>` : html`${twinList(visit, twins)}${otherOrders(visit, credit)}`}
${(!shown || credit.state !== 'attached') && ended(visit, credit, mayDecide, await sayActors({ sql }, visit))}
${!shown && choice}
${canEnd && otherEnds(visit, credit)}
${shown && choice && fold(words.another, choice)}
${fold(texts.payments.one.details, html`${payTo(visit, credit)}${evidence(texts, credit, bankNames({ banks }))}${canEnd && !isOrderless(credit) && keepWithNote(visit, credit)}`)}</div>
${isWaiting && others.length > 0 && html`<aside><div class="heading"><h2>${words.also}</h2></div>${rowList(others.map(one => creditRow(visit, one, shortTime(visit, one.arrived_at))))}</aside>`}</div>`;
  return page({ title: texts.money.payment({ sum: shortSum(credit.amount_paise ?? 0) }), body });
}

function came({ texts }: Visit, credit: CreditRow, hasStory: boolean): Html {
  const { somebody, paidThis } = texts.payments.decide;
  const kind = creditKind(credit);
  const isEnded = ['given_back', 'kept', 'accepted'].includes(credit.state);
  const badge = isEnded && state(texts.money.kinds[kind], kind === 'accepted' ? 'good' : 'quiet');
  const said = paidThis({ payer: '\n' }).split('\n');
  return html`<div class="stack tight"><p class="figure">${money(credit.amount_paise ?? 0)}</p>
<p>${said[0]}<b><bdi>${shownName(credit.payer) || somebody}</bdi></b>${said[1]}</p>
<p class="quiet">${moment(credit.alert_time ?? credit.arrived_at)} · ${badge || (hasStory ? creditStory(texts, credit) : texts.money.kinds[kind])}</p></div>`;
}

/** Both can be undone for five minutes, so they need no further question. */
function otherEnds(visit: Visit, credit: CreditRow): Html {
  const words = visit.texts.money;
  const path = `${moneyPath}/${credit.alert_id}`;
  const canKeep = !isOrderless(credit);
  return html`<div class="buttons"><a class="button plain" href="${path}/give-back">${icon('return', true)}${visit.texts.payments.one.giveBack}</a>${canKeep && html`<form method="post" action="${path}/keep"><button class="button plain">${icon('tick', true)}${words.keep}</button></form>`}</div>`;
}

function keepWithNote(visit: Visit, { alert_id }: CreditRow): Html {
  const { keepTitle, keepText } = visit.texts.money;
  return html`<form method="post" action="${moneyPath}/${alert_id}/keep" class="stack"><p class="quiet">${keepText}</p>${noteField(visit, 'keep-note', true)}<div class="actions">${button(keepTitle, { plain: true })}</div></form>`;
}

/** The owner pastes them into their bank's app. */
function payTo({ texts }: Visit, { amount_paise, payer }: CreditRow): Html {
  const rows = { amount: amount_paise === null ? '–' : (amount_paise / 100).toFixed(2), payer };
  const copied = (name: 'amount' | 'payer') =>
    [texts.labels[name], rows[name] && copyable(texts, name, rows[name], texts.labels[name])] as const;
  return facts([copied('amount'), copied('payer')]);
}

/** Somebody's decision. After five minutes only this page can take it back. */
function ended(
  { texts }: Visit,
  credit: CreditRow,
  mayDecide: boolean,
  sayActor: (actor: string) => string,
): Html | null {
  const words = texts.money;
  const { state, for_order, done_by, done_at, return_reference } = credit;
  if (state === 'open' || done_at === null) return null;
  const path = `${moneyPath}/${credit.alert_id}`;
  const shown = facts([
    [texts.labels.order, for_order && orderLink(for_order)],
    [words.returnReference, return_reference],
    [texts.labels.by, html`<bdi>${done_by && sayActor(done_by)}</bdi>`],
    [texts.labels.when, moment(done_at)],
    [words.note, credit.note ? html`<bdi>${credit.note}</bdi>` : null],
  ]);
  if (state === 'accepted' || !mayDecide) return shown;
  const again = () => postButton(`${path}/reopen`, texts.payments.decide.again);
  const way = state === 'attached' ? linkButton(`${path}/orders/${for_order}`, words.decide) : again();
  return html`${shown}<div class="actions">${way}</div>`;
}

type Choices = {
  likely: readonly ListedOrder[];
  around: readonly ListedOrder[];
  found: readonly ListedOrder[] | null;
};

function chooseOrder(visit: Visit, credit: CreditRow, { likely, around, found }: Choices): Html {
  const words = visit.texts.money;
  const others = around.filter(order => !likely.some(one => one.order_id === order.order_id));
  const row = (order: ListedOrder) => ({
    ...orderRow(visit, order, shortTime(visit, order.created_at)),
    href: `${moneyPath}/${credit.alert_id}/orders/${order.order_id}`,
  });
  const list = (title: string, orders: readonly ListedOrder[]) =>
    orders.length > 0 && html`<h3>${title}</h3>${rowList(orders.map(row))}`;
  return html`<section id="orders" class="stack"><h2>${words.chooseTitle}</h2>
${orderSearch(visit, `${moneyPath}/${credit.alert_id}#orders`)}
${found !== null && (found.length === 0 ? html`<p>${words.nothingFound}</p>` : list(words.found, found))}
${found === null && html`${list(words.likely, likely)}${list(words.around, others)}${likely.length + others.length === 0 && html`<p class="quiet">${words.nothingAround}</p>`}`}</section>`;
}
