import { type Html, html } from '../../base/http/html.ts';
import { readFacts } from '../../business/accounts/audit.ts';
import type { Texts } from '../../texts/languages.ts';
import { sayReason } from '../../texts/say.ts';
import { moment, rupees } from '../frame/parts.ts';
import type { Visit } from '../frame/route.ts';
import type { CreditRow } from '../money/queries/money.ts';
import type { OrderView } from './order-view.ts';

type Step = { at: Date; text: string; tone?: 'good' | 'bad' | 'ahead' };

/** Everything that happened to an order, in its order, as a line with a mark for each. */
export function timeline(visit: Visit, view: OrderView): Html {
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

/** The mail that paid it, and those about it that did not count. */
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

/** Its coming, and each thing that somebody did with it for this order: the log keeps them all. */
function moneySteps(texts: Texts, { order, deeds }: OrderView, credit: CreditRow): Step[] {
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
  const steps = deeds
    .filter(deed => deed.subject === credit.alert_id && readFacts(deed)['order'] === order.order_id)
    .map(({ action, actor, at }): Step => {
      const told = {
        'credit.attach': onOrder.attached,
        'credit.accept': onOrder.accepted,
        'credit.decline': onOrder.declined,
        'credit.given_back': onOrder.givenBack,
        'credit.keep': onOrder.kept,
        'credit.not_arrived': onOrder.notArrived,
      }[action];
      return { at, text: (told ?? onOrder.reopened)({ by: actor }) };
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
