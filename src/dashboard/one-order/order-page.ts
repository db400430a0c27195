import { type Html, type HtmlValue, html } from '../../base/http/html.ts';
import { shownName } from '../../base/read-name.ts';
import { readFacts } from '../../business/accounts/audit.ts';
import type { AuditRow } from '../../business/accounts/queries/audit.ts';
import type { Order } from '../../orders/order.ts';
import { addedTo } from '../../orders/page/format-amount.ts';
import { paymentUrl } from '../../orders/present-order.ts';
import type { DeliveryRow } from '../../outbox/webhooks/queries/read.ts';
import type { StatementMatch } from '../../payments/statements/queries/matches.ts';
import type { Texts } from '../../texts/languages.ts';
import { sayReason } from '../../texts/say.ts';
import { sayDay } from '../../texts/say-time.ts';
import { nearNotes, nearOf } from '../counter/near-credits.ts';
import { shareButtons, tooMuchNote } from '../counter/payment-page.ts';
import { copyable, plainLink, postButton, whenFresh } from '../frame/controls.ts';
import {
  badge,
  card,
  facts,
  moment,
  pageHead,
  rupees,
  statusBadge,
  titledCard,
  verdictBadge,
} from '../frame/parts.ts';
import type { Visit } from '../frame/route.ts';
import { moneyItem } from '../money/credit-item.ts';
import { decision } from '../money/decide-page.ts';
import { moneyPath } from '../money/money-head.ts';
import type { CreditRow, StoredReference } from '../money/queries/money.ts';
import { evidence } from '../orders/evidence.ts';
import type { OrderAlert } from '../orders/queries.ts';
import { deliveryTable } from '../webhooks/delivery-table.ts';

export const orderPath = (orderId: string) => `/dashboard/orders/${orderId}`;

export function orderPage(visit: Visit, view: OrderView): Html {
  const { order, alerts, deliveries, money, baseUrl, bankName } = view;
  const { texts } = visit;
  const words = texts.orders;
  const paying = alerts.find(alert => alert.verdict === 'paid');
  const others = alerts.filter(alert => alert !== paying);
  const url = paymentUrl(baseUrl, order.pay_token);
  const { customer } = order;
  const isPaid = order.status === 'paid';
  const isErased = paying?.erasure_id != null;
  const received = order.received_paise ?? order.payable_paise;
  const isPending = order.status === 'pending';
  // The script requests all parts at once. The link and its copy button never change, so they are not live.
  const live = (name: string, body: Html | null | false) =>
    html`<div data-live="${orderPath(order.order_id)}?part=live" data-part="${name}"${name === 'sum' && html` aria-live="polite"`}>${body}</div>`;
  return html`${pageHead(order.order_id, { back: { href: '/dashboard/orders', text: texts.shell.navigation.orders } })}
${live('waiting', html`${tooMuchNote(texts, order)}${waitingPart(visit, order, money)}${nearNotes(visit, order, nearOf(order, money), '/dashboard/orders')}`)}
${card(
  html`${live(
    'sum',
    html`<p class="quiet">${isPaid ? words.paidSum : words.payable}</p>
<p class="order-sum"><span class="figure">${rupees(isPaid ? received : order.payable_paise)}</span> ${statusBadge(texts, order.status)}</p>`,
  )}
${live(
  'facts',
  facts([
    // The second amount is shown only if it differs.
    [words.payable, isPaid && received !== order.payable_paise && rupees(order.payable_paise)],
    [texts.money.onOrder.received, !isPaid && order.received_paise !== null && rupees(received)],
    [words.asked, texts.counter.added(addedTo(order))],
    [texts.counter.purpose, view.purpose ? html`<bdi>${view.purpose}</bdi>` : null],
    [words.ownId, html`<bdi>${order.merchant_order_id}</bdi>`],
    [
      texts.labels.customer,
      customer && html`<bdi>${[shownName(customer.name), customer.email].filter(Boolean).join(', ')}</bdi>`,
    ],
    [words.payerShort, paying?.payer != null && html`<bdi>${paying.payer}</bdi>`],
    [words.reference, order.bank_reference],
    [words.statement, statementSays(texts, view.mark)],
    [words.account, html`<bdi>${order.payee_name}</bdi> (${order.vpa})`],
    [words.webhookUrl, html`<bdi>${order.webhook_url || '–'}</bdi>`],
  ]),
)}`,
)}
${titledCard({ title: words.link })`
${live('link-text', isPending && html`<p class="quiet">${words.linkText}</p>`)}<p>${copyable(texts, 'order-link', url, words.link)}</p>
<div class="actions">${plainLink(url, words.paymentPage)}</div>${live('share', isPending && shareButtons(texts, texts.counter.shareText({ shop: visit.business.name, amount: rupees(order.payable_paise) }), url))}`}
${live('timeline', card(timeline(visit, view), { title: words.timeline }))}
${live('money', moneyCard(visit, order, money))}
${live('claims', referencesCard(visit, view.claims))}
${live('evidence', paying ? card(html`<p class="quiet">${isErased ? words.evidenceErased : words.evidenceText}</p>${evidence(texts, paying, bankName)}`, { title: words.evidence }) : null)}
${isPaid && paying && !isErased && visit.may('evidence.export') && evidenceCard(visit, order.order_id)}
${live(
  'other-mails',
  others.length > 0 &&
    titledCard({ title: words.otherAlerts })`<p class="quiet">${words.otherAlertsText}</p>${others.map(
      alert =>
        html`<details id="mail-${alert.alert_id}"><summary>${verdictBadge(texts, alert.verdict)} ${moment(alert.arrived_at)}</summary>${alert.reason && html`<p>${sayReason(texts.tag, alert.reason)}</p>`}${evidence(texts, alert, bankName)}</details>`,
    )}`,
)}
${live(
  'webhooks',
  card(
    deliveries.length === 0
      ? html`<p class="quiet">${noAttempts(words, order)}</p>`
      : deliveryTable(visit, deliveries, orderPath(order.order_id)),
    { title: words.webhooks, id: 'webhooks' },
  ),
)}`;
}

/** For a bank, the police or a dispute. Not live, because a refresh would reset a form in use. */
function evidenceCard(visit: Visit, orderId: string): Html {
  const { title, text, button } = visit.texts.evidence;
  const form = () => postButton(`${orderPath(orderId)}/evidence`, button);
  return card(html`<p class="quiet">${text}</p>${whenFresh(visit, form)}`, { title, id: 'evidence-pack' });
}

export function statementSays({ orders, tag }: Texts, mark: StatementMatch | null): HtmlValue {
  if (mark === null) return null;
  const { confirmed, missing, vouched } = orders.statementSays;
  if (mark.state === 'missing') return badge(missing, 'bad');
  return mark.state === 'confirmed'
    ? confirmed({ day: sayDay(tag, mark.line_day!) })
    : vouched({ who: mark.marked_by });
}

function noAttempts(words: Texts['orders'], { webhook_url, status }: Order): string {
  if (webhook_url !== '') return words.webhooksEmpty;
  return status === 'paid' ? words.webhooksRecorded : words.webhooksNowhere;
}

/** An order in review: both amounts and the decision come before everything else. */
function waitingPart(visit: Visit, order: Order, money: readonly CreditRow[]): Html | null {
  const credit = money.find(one => one.state === 'attached' && one.for_order === order.order_id);
  if (order.status !== 'manual_review' || !credit) return null;
  return decision(visit, order, credit, { title: visit.texts.money.onOrder.waiting });
}

/** Near misses, late and second payments: money for this order that was not its exact payment. */
function moneyCard(visit: Visit, order: Order, money: readonly CreditRow[]): Html | null {
  const others = money.filter(credit => credit.state !== 'attached' || credit.for_order !== order.order_id);
  if (others.length === 0) return null;
  const { came, cameText } = visit.texts.money.onOrder;
  return titledCard({ title: came, id: 'money' })`
<p class="quiet">${cameText}</p><ul class="money">${others.map(credit => moneyItem(visit, credit, null, wayOn(visit, order, credit)))}</ul>`;
}

function wayOn(visit: Visit, order: Order, { alert_id, state }: CreditRow): Html | null {
  if (state !== 'open' || order.status === 'paid' || !visit.may('money.decide')) return null;
  const href = `${moneyPath}/${alert_id}/orders/${order.order_id}`;
  return plainLink(href, visit.texts.money.compare);
}

function referencesCard({ texts }: Visit, claims: readonly StoredReference[]): Html | null {
  if (claims.length === 0) return null;
  const words = texts.money.onOrder;
  return titledCard({ title: words.claims, id: 'claims' })`
<p class="quiet">${words.claimsText}</p><ul class="plain-list">${claims.map(
    claim =>
      html`<li><code>${claim.bank_reference}</code> <span class="quiet">${moment(claim.claimed_at)}</span><br>${claim.alert_id === null ? words.claimNotHere : words.claimHere}</li>`,
  )}</ul>`;
}

type Step = { at: Date; text: string; tone?: 'good' | 'bad' | 'ahead' };

function timeline(visit: Visit, view: OrderView): Html {
  const steps = [
    ...ownSteps(visit, view),
    ...alertSteps(visit.texts, view),
    ...view.money.flatMap(credit => moneySteps(visit.texts, view, credit)),
    ...webhookSteps(visit.texts, view),
  ].sort((a, b) => a.at.getTime() - b.at.getTime());
  return html`<ol class="timeline">${steps.map(
    ({ at, text, tone }) =>
      html`<li${tone && html` class="${tone}"`}><span>${text}</span> <span class="quiet">${moment(at, 'exact')}</span></li>`,
  )}</ol>`;
}

function ownSteps({ texts, now }: Visit, { order, claims }: OrderView): Step[] {
  const { happened } = texts.orders;
  const steps: Step[] = [{ at: order.created_at, text: happened.created }];
  const isOver = order.expires_at <= now;
  const wasLate = order.paid_at !== null && order.paid_at > order.expires_at;
  if (order.paid_at === null || wasLate)
    steps.push({
      at: order.expires_at,
      text: isOver ? happened.expired : happened.expires,
      ...(!isOver && { tone: 'ahead' }),
    });
  for (const claim of claims)
    steps.push({ at: claim.claimed_at, text: happened.claimed({ reference: claim.bank_reference }) });
  if (order.paid_at) steps.push({ at: order.paid_at, text: happened.paid, tone: 'good' });
  return steps;
}

function alertSteps({ orders: { happened }, tag }: Texts, { alerts }: OrderView): Step[] {
  return alerts.map(({ arrived_at: at, verdict, reason }) =>
    verdict === 'paid'
      ? { at, text: happened.alert }
      : {
          at,
          text: reason ? `${happened.refused}: ${sayReason(tag, reason)}` : happened.refused,
          tone: 'bad',
        },
  );
}

/** Its arrival and every action that people took with it for this order, from the audit log. */
function moneySteps(texts: Texts, { order, auditEntries }: OrderView, credit: CreditRow): Step[] {
  const { onOrder } = texts.money;
  const isExact = credit.amount_paise === order.payable_paise;
  const verdict = credit.verdict === 'paid' ? 'no_order' : credit.verdict;
  const kind = credit.told_twice ? 'told_twice' : verdict === 'no_order' && isExact ? 'exact' : verdict;
  const came: Step = {
    at: credit.arrived_at,
    text: texts.orders.happened.came[kind]({ amount: rupees(credit.amount_paise ?? 0) }),
  };
  const isOurs = credit.for_order === order.order_id;
  const byItself: Step[] =
    isOurs && credit.done_by === 'milaan' && credit.done_at && credit.state === 'attached'
      ? [{ at: credit.done_at, text: onOrder.attached({ by: texts.money.byMilaan }) }]
      : [];
  const steps = auditEntries
    .filter(audited => audited.subject === credit.alert_id && readFacts(audited)['order'] === order.order_id)
    .map(({ action, actor, at }): Step => {
      const shown = {
        'credit.attach': onOrder.attached,
        'credit.accept': onOrder.accepted,
        'credit.decline': onOrder.declined,
        'credit.given_back': onOrder.givenBack,
        'credit.keep': onOrder.kept,
        'credit.not_arrived': onOrder.notArrived,
      }[action];
      return { at, text: (shown ?? onOrder.reopened)({ by: actor }) };
    });
  return [came, ...byItself, ...steps];
}

function webhookSteps({ orders: { happened }, tag }: Texts, { deliveries }: OrderView): Step[] {
  return deliveries.map(one => {
    const at = one.started_at ?? one.due_at;
    if (one.state === 'waiting' || one.state === 'sending')
      return { at, text: happened.waiting({ n: one.attempt }), tone: 'ahead' };
    const end =
      one.state === 'delivered'
        ? happened.delivered
        : happened.failed({ why: one.failure ? sayReason(tag, one.failure) : '' });
    return {
      at,
      text: `${happened.attempt({ n: one.attempt })}: ${end}`,
      tone: one.state === 'delivered' ? 'good' : 'bad',
    };
  });
}

export type OrderView = {
  order: Order;
  alerts: readonly OrderAlert[];
  deliveries: readonly DeliveryRow[];
  /** Money for this order that was not its exact payment. */
  money: readonly CreditRow[];
  claims: readonly StoredReference[];
  /** Every action that people took with that money. */
  auditEntries: readonly AuditRow[];
  /** Its purpose, if a person or a link created it. */
  purpose: string | null;
  mark: StatementMatch | null;
  baseUrl: string;
  bankName: (id: string) => string;
};
