import { bankNames } from '../../alerts/banks/bank-support.ts';
import { type Html, type HtmlValue, html } from '../../base/http/html.ts';
import { shownName } from '../../base/read-name.ts';
import type { World } from '../../base/world.ts';
import { readFacts } from '../../business/accounts/audit.ts';
import { selectMoneyEntries } from '../../business/accounts/queries/audit.ts';
import { counterPrefix } from '../../orders/links/pay-by-link.ts';
import { type Order, paymentUrl } from '../../orders/order.ts';
import { addedTo } from '../../orders/page/format-amount.ts';
import { listDeliveries } from '../../outbox/webhooks/queries/deliveries.ts';
import { selectRefunds } from '../../payments/review/queries/refunds.ts';
import { type StatementMatch, selectMatch } from '../../payments/statements/queries/matches.ts';
import type { Texts } from '../../texts/languages.ts';
import { sayReason } from '../../texts/say.ts';
import { sayDay } from '../../texts/say-time.ts';
import { nearNotes, nearOf } from '../counter/near-credits.ts';
import { receiptButton, shareButtons, tooMuchNote } from '../counter/payment-page.ts';
import { fold } from '../frame/choosing.ts';
import { copyable, postButton, whenConfirmed } from '../frame/controls.ts';
import { icon } from '../frame/icon.ts';
import { badge, facts, moment, pageHead, rupees } from '../frame/parts.ts';
import type { Visit } from '../frame/route.ts';
import { letterFace, money, rowList, shownFace } from '../frame/rows.ts';
import { moneyPath } from '../payments/credit-words.ts';
import { decision } from '../payments/decision.ts';
import { evidence } from '../payments/evidence.ts';
import { creditRow, orderPath, personOf, shortTime, stateOf, wayOf } from '../payments/payment-rows.ts';
import {
  type CreditRow,
  type StoredReference,
  selectMoneyOfOrder,
  selectTypedReferences,
} from '../payments/queries/credits.ts';
import { type ListedOrder, selectAlertsOfOrder, selectOneOrder } from '../payments/queries/orders.ts';
import { sayActors } from '../team/say-actors.ts';
import { deliveryTable } from '../webhooks/delivery-table.ts';

export type OrderView = NonNullable<Awaited<ReturnType<typeof readOrderView>>>;

export async function readOrderView(world: World, visit: Visit) {
  const { merchantId, params, now } = visit;
  const { sql, baseUrl } = world;
  const orderId = params['order_id']!;
  const order = await selectOneOrder(sql, merchantId, orderId, now);
  if (!order) return null;
  const [alerts, credits, claims, refunds, match, { deliveries }] = await Promise.all([
    selectAlertsOfOrder(sql, merchantId, orderId),
    selectMoneyOfOrder(sql, merchantId, order, now),
    selectTypedReferences(sql, merchantId, orderId),
    selectRefunds(sql, merchantId, orderId),
    selectMatch(sql, merchantId, orderId),
    listDeliveries(world, merchantId, { orderId }),
  ]);
  const alertIds = credits.map(credit => credit.alert_id);
  const sayActor = await sayActors(world, visit);
  const entries = await selectMoneyEntries(sql, merchantId, alertIds);
  const auditEntries = entries.map(one => ({ ...one, actor: sayActor(one.actor) }));
  const paying = alerts.find(alert => alert.verdict === 'paid');
  const bankName = bankNames(world);
  return {
    order,
    refunds,
    alerts,
    paying,
    credits,
    claims,
    auditEntries,
    deliveries,
    match,
    baseUrl,
    bankName,
  };
}

/** Payer, sum, purpose, actions and history; proof and technical facts are folded. */
export function orderPage(visit: Visit, view: OrderView): Html {
  const { order, alerts, paying, deliveries, credits, baseUrl, bankName } = view;
  const { texts } = visit;
  const words = texts.orders;
  const one = texts.payments.one;
  const others = alerts.filter(alert => alert !== paying);
  const url = paymentUrl(baseUrl, order.pay_token);
  const isPaid = order.status === 'paid';
  const isErased = paying?.erasure_id != null;
  const path = orderPath(order.order_id);
  // The script requests all parts at once. The link and its copy button never change, so they are not live.
  const live = (name: string, body: Html | null | false) =>
    html`<div data-live="${path}?part=live" data-part="${name}"${name === 'sum' && html` aria-live="polite"`}>${body}</div>`;
  const back = { href: '/dashboard/payments', text: texts.payments.views.place };
  return html`${pageHead(one.title, { back })}
<div class="columns one"><div class="stack apart">
${live('sum', head(visit, view))}
${live('waiting', html`${tooMuchNote(texts, order)}${waitingPart(visit, order, credits)}${nearNotes(visit, order, nearOf(order, credits), '/dashboard/orders')}`)}
${live('actions', actions(visit, view, url))}
${live('money', otherMoney(visit, order, credits))}
<section><div class="heading"><h2>${words.timeline}</h2></div>${live('timeline', timeline(visit, view))}</section></div>
<div class="folds">${fold(one.details, html`${live('facts', details(visit, view))}${copyable(texts, 'order-link', url, one.link)}`)}
${fold(
  one.proof,
  html`${live('evidence', paying ? html`<p class="small quiet">${isErased ? words.evidenceErased : words.evidenceText}</p>${evidence(texts, paying, bankName)}` : html`<p class="quiet">${words.noProof}</p>`)}
${isPaid && paying && !isErased && visit.may('evidence.export') && evidencePack(visit, path)}
${live(
  'other-mails',
  others.length > 0 &&
    html`<h3>${words.otherAlerts}</h3><p class="small quiet">${words.otherAlertsText}</p>${others.map(
      alert =>
        html`<details id="mail-${alert.alert_id}"><summary>${texts.verdicts[alert.verdict][0]} · ${moment(alert.arrived_at)}</summary>${alert.reason && html`<p>${sayReason(texts.tag, alert.reason)}</p>`}${evidence(texts, alert, bankName)}</details>`,
    )}`,
)}${live('claims', references(visit, view.claims))}`,
)}
${order.webhook_url !== '' && fold(one.updates, live('webhooks', html`<p class="small quiet">${words.webhookUrl}: <bdi>${order.webhook_url}</bdi></p>${deliveries.length === 0 ? html`<p class="quiet">${words.webhooksEmpty}</p>` : deliveryTable(visit, deliveries, path)}`))}</div></div>`;
}

function head(visit: Visit, { order }: OrderView): Html {
  const { texts } = visit;
  const one = texts.payments.one;
  const received = order.received_paise ?? order.payable_paise;
  const person = personOf(order);
  const way = wayOf(texts, order);
  const purpose = order.purpose || (person === null ? '' : way);
  const back = order.given_back_paise;
  return html`<div class="stack tight"><div class="beside">${shownFace(letterFace(person ?? way))}<div class="stack joined"><p class="cut"><b><bdi>${person ?? way}</bdi></b></p>${purpose !== '' && html`<p class="small quiet cut"><bdi>${order.purpose ? one.for({ purpose }) : purpose}</bdi></p>`}</div></div>
<div class="beside"><p class="figure">${money(order.status === 'paid' ? received : order.payable_paise)}</p>${stateOf(visit, order)}</div>
<p class="small quiet">${moment(order.paid_at ?? order.created_at)} · ${one.to({ vpa: order.vpa })}</p>
${back > 0 && back < received && html`<p class="small">${texts.payments.giveBack.stays({ sum: rupees(received - back) })}</p>`}</div>`;
}

/** The next step: a pending payment is sent to the customer, a paid one has a receipt and may be given back. */
function actions(visit: Visit, { order, baseUrl }: OrderView, url: string): Html | null {
  const { texts, merchant } = visit;
  const { one } = texts.payments;
  const received = order.received_paise ?? order.payable_paise;
  if (order.status === 'pending') {
    const amount = rupees(order.payable_paise);
    return shareButtons(texts, texts.counter.shareText({ shop: merchant.name, amount }), url);
  }
  if (order.status !== 'paid') return null;
  const canReturn = visit.may('money.decide') && order.given_back_paise < received;
  return html`<div class="buttons">${receiptButton(visit, order, baseUrl, false)}${canReturn && html`<a class="button plain" href="${orderPath(order.order_id)}/give-back">${icon('return', true)}${one.giveBack}</a>`}</div>`;
}

function details({ texts }: Visit, { order, match, paying }: OrderView): Html {
  const words = texts.orders;
  const { customer, received_paise: received } = order;
  const isPaid = order.status === 'paid';
  // The counter's and the links' own ids say nothing to anybody.
  const isOurs = order.merchant_order_id.startsWith(counterPrefix);
  return facts([
    [words.reference, order.bank_reference],
    [words.payerShort, shownName(paying?.payer) !== '' && html`<bdi>${shownName(paying?.payer)}</bdi>`],
    [texts.payments.one.way, html`<bdi>${wayOf(texts, order)}</bdi>`],
    // The second amount is shown only if it differs.
    [words.payable, isPaid && received !== order.payable_paise && rupees(order.payable_paise)],
    [texts.payments.states.received, !isPaid && received !== null && rupees(received)],
    [words.asked, texts.counter.added(addedTo(order))],
    [texts.labels.order, html`<span class="id">${order.order_id}</span>`],
    [words.ownId, !isOurs && html`<bdi>${order.merchant_order_id}</bdi>`],
    [
      texts.labels.customer,
      customer && html`<bdi>${[shownName(customer.name), customer.email].filter(Boolean).join(', ')}</bdi>`,
    ],
    [words.statement, statementSays(texts, match)],
    [words.account, html`<bdi>${order.payee_name}</bdi> (${order.vpa})`],
  ]);
}

/** For a bank, the police or a dispute. Not live, because a refresh would reset a form in use. */
function evidencePack(visit: Visit, path: string): Html {
  const { text, button } = visit.texts.evidence;
  const form = () => postButton(`${path}/evidence`, button);
  return html`<div id="evidence-pack" class="stack"><p class="small quiet">${text}</p>${whenConfirmed(visit, form)}</div>`;
}

export function statementSays({ orders, tag }: Texts, match: StatementMatch | null): HtmlValue {
  if (match === null) return null;
  const { confirmed, missing, vouched } = orders.statementSays;
  if (match.state === 'missing') return badge(missing, 'bad');
  return match.state === 'confirmed'
    ? confirmed({ day: sayDay(tag, match.line_day!) })
    : vouched({ who: match.marked_by });
}

function waitingPart(visit: Visit, order: ListedOrder, credits: readonly CreditRow[]): Html | null {
  const credit = credits.find(one => one.state === 'attached' && one.for_order === order.order_id);
  if (order.status !== 'manual_review' || !credit) return null;
  return html`<section class="card likely"><h2>${visit.texts.money.onOrder.waiting}</h2>${decision(visit, order, credit)}</section>`;
}

/** Near misses, late and second payments: money for this order that was not its exact payment. */
function otherMoney(visit: Visit, order: Order, credits: readonly CreditRow[]): Html | null {
  const others = credits.filter(credit => credit.state !== 'attached' || credit.for_order !== order.order_id);
  if (others.length === 0) return null;
  const rows = others.map(credit => {
    const row = creditRow(visit, credit, moment(credit.arrived_at));
    const isOpen = credit.state === 'open' && order.status !== 'paid' && visit.may('money.decide');
    return isOpen ? { ...row, href: `${moneyPath}/${credit.alert_id}/orders/${order.order_id}` } : row;
  });
  return html`<section id="money"><div class="heading"><h2>${visit.texts.money.onOrder.came}</h2></div>${rowList(rows)}</section>`;
}

function references({ texts }: Visit, claims: readonly StoredReference[]): Html | null {
  if (claims.length === 0) return null;
  const words = texts.money.onOrder;
  return html`<h3 id="claims">${words.claims}</h3><p class="small quiet">${words.claimsText}</p><ul class="plain-list">${claims.map(
    claim =>
      html`<li><code>${claim.bank_reference}</code> <span class="quiet">${moment(claim.claimed_at)}</span><br>${claim.alert_id === null ? words.claimNotHere : words.claimHere}</li>`,
  )}</ul>`;
}

type Step = readonly [at: Date, text: string, tone?: 'good' | 'bad'];

function timeline(visit: Visit, view: OrderView): Html {
  const { gaveBack } = visit.texts.payments.one;
  const steps = [
    ...ownSteps(visit, view),
    ...alertSteps(visit.texts, view),
    ...view.credits.flatMap(credit => moneySteps(visit.texts, view, credit)),
    ...view.refunds.map(
      (one): Step => [one.done_at, gaveBack({ who: one.done_by, sum: rupees(one.amount_paise) })],
    ),
  ].sort(([a], [b]) => a.getTime() - b.getTime());
  // The page's head has the day.
  const ofDay = { ...visit, now: view.order.paid_at ?? view.order.created_at };
  return html`<ol class="steps">${steps.map(
    ([at, text, tone]) =>
      html`<li${tone && html` class="${tone}"`}><span>${text}</span> <span class="small quiet">${shortTime(ofDay, at, 'full')}</span></li>`,
  )}</ol>`;
}

function ownSteps({ texts, now }: Visit, { order, claims }: OrderView): Step[] {
  const { expired, claimed } = texts.orders.happened;
  const { created_at, expires_at, paid_at } = order;
  const steps: Step[] = [[created_at, texts.payments.one.asked({ sum: rupees(order.payable_paise) })]];
  if (expires_at <= now && (paid_at === null || paid_at > expires_at)) steps.push([expires_at, expired]);
  for (const claim of claims) steps.push([claim.claimed_at, claimed({ reference: claim.bank_reference })]);
  if (paid_at) steps.push([paid_at, texts.shell.statuses.paid, 'good']);
  return steps;
}

function alertSteps(texts: Texts, { alerts }: OrderView): Step[] {
  const { refused } = texts.orders.happened;
  return alerts.map(({ arrived_at: at, verdict, reason }) => {
    if (verdict === 'paid') return [at, texts.payments.one.seen, 'good'];
    return [at, reason ? `${refused}: ${sayReason(texts.tag, reason)}` : refused, 'bad'];
  });
}

/** Its arrival and every action that people took with it for this order, from the audit log. */
function moneySteps(texts: Texts, { order, auditEntries }: OrderView, credit: CreditRow): Step[] {
  const { onOrder } = texts.money;
  const isExact = credit.amount_paise === order.payable_paise;
  const verdict = credit.verdict === 'paid' ? 'no_order' : credit.verdict;
  const kind = credit.told_twice ? 'told_twice' : verdict === 'no_order' && isExact ? 'exact' : verdict;
  const came = texts.orders.happened.came[kind]({ amount: rupees(credit.amount_paise ?? 0) });
  const steps: Step[] = [[credit.arrived_at, came]];
  const isAttached = credit.for_order === order.order_id && credit.state === 'attached';
  if (isAttached && credit.done_by === 'milaan' && credit.done_at)
    steps.push([credit.done_at, onOrder.attached({ by: texts.shell.product })]);
  for (const audited of auditEntries) {
    if (audited.subject !== credit.alert_id || readFacts(audited)['order'] !== order.order_id) continue;
    const said = {
      'credit.attach': onOrder.attached,
      'credit.accept': onOrder.accepted,
      'credit.decline': onOrder.declined,
      'credit.given_back': onOrder.givenBack,
      'credit.keep': onOrder.kept,
      'credit.not_arrived': onOrder.notArrived,
    }[audited.action];
    steps.push([audited.at, (said ?? onOrder.reopened)({ by: audited.actor })]);
  }
  return steps;
}
