import { type Html, html } from '../../base/http/html.ts';
import { isForSale, type Plan, type PlanForSale, titleOf } from '../../business/merchants/plans.ts';
import { paymentUrl } from '../../orders/present-order.ts';
import type { OpenSale, PlanPeriod } from '../../orders/sales/queries.ts';
import { reckonPeriod } from '../../orders/sales/reckon-period.ts';
import type { Texts } from '../../texts/languages.ts';
import { sayTime } from '../../texts/say-time.ts';
import { plainLink, postButton } from '../frame/controls.ts';
import { card, note, roundRupees, rupees } from '../frame/parts.ts';
import type { Visit } from '../frame/route.ts';
import { money, rowList } from '../frame/rows.ts';

const dayOf = ({ tag }: Texts, at: Date) => sayTime(tag, at, 'date');

/** The running period, the next one, and what happens without a renewal. */
export function periodNotes({ texts, now }: Visit, terms: readonly PlanPeriod[]): Html | null {
  const words = texts.plan;
  const last = terms.at(-1);
  if (!last || last.lapses_at <= now) return null;
  const lines = terms.map(term =>
    words.termLine({
      plan: term.title[texts.tag],
      from: dayOf(texts, term.starts_at),
      until: dayOf(texts, term.ends_at),
    }),
  );
  if (last.ends_at > now) return note(html`${lines.map(line => html`<p>${line}</p>`)}`, 'good');
  return note(words.inGrace({ plan: last.title[texts.tag], until: dayOf(texts, last.lapses_at) }), 'warn');
}

export function planCards(
  visit: Visit,
  plans: readonly Plan[],
  terms: readonly PlanPeriod[],
  plan: string,
): Html {
  const offers = plans.filter(isForSale).sort((one, other) => one.price_paise - other.price_paise);
  return html`<div class="grid plans" id="plans">${offers.map(offer => {
    const isMine = offer.plan === plan;
    return card(planBody(visit, offer, terms, isMine), { title: titleOf(offer)[visit.texts.tag] });
  })}</div>`;
}

function planBody(visit: Visit, plan: PlanForSale, terms: readonly PlanPeriod[], isMine: boolean): Html {
  const { texts, now, may } = visit;
  const words = texts.plan;
  const { price_paise, period_days: days } = plan;
  const { startsAt, endsAt, carried } = reckonPeriod(terms, { price_paise, days }, now);
  const limits = [
    plan.monthly_limit_paise === null
      ? words.anySum
      : words.sumAMonth({ sum: roundRupees(plan.monthly_limit_paise) }),
    plan.account_limit === null ? words.anyAccounts : words.accounts({ count: plan.account_limit }),
    plan.history_days === null ? words.anyHistory : words.historyFor({ days: plan.history_days }),
  ];
  const begins =
    startsAt > now
      ? words.beginsOn({ from: dayOf(texts, startsAt), until: dayOf(texts, endsAt) })
      : words.beginsNow({ until: dayOf(texts, endsAt) });
  const price = words.priceFor({ plan: titleOf(plan)[texts.tag], price: priceText(price_paise), days });
  return html`<p class="plan-price"><strong>${priceText(price_paise)}</strong> ${words.forDays({ days })}</p>
<ul class="plain-list">${limits.map(line => html`<li>${line}</li>`)}</ul>
<p>${isMine && terms.length > 0 ? words.renews : ''} ${begins}${carried > 0 && html` <strong>${words.carries({ count: carried })}</strong>`}</p>
${
  may('business.change')
    ? postButton('/dashboard/plan/buy', price, {
        plain: false,
        values: { plan: plan.plan, price: String(price_paise), days: String(days), carried: String(carried) },
      })
    : html`<p class="quiet">${words.whoBuys}</p>`
}`;
}

/** Whole rupees are shown without paise. */
function priceText(paise: number): string {
  return paise % 100 === 0 ? roundRupees(paise) : rupees(paise);
}

export function openSales(visit: Visit, sales: readonly OpenSale[]): Html | null {
  const { texts } = visit;
  const words = texts.plan;
  if (sales.length === 0) return null;
  // Shows only the newest unpaid sale of each offer.
  const shown = sales.filter(
    (sale, at) =>
      sale.status !== 'pending' ||
      sales.findIndex(one => one.status === 'pending' && one.plan === sale.plan) === at,
  );
  return card(
    html`<ul class="plain-list">${shown.map(sale => {
      const what = words.priceFor({
        plan: sale.title[texts.tag],
        price: priceText(sale.price_paise),
        days: sale.days,
      });
      const state =
        sale.status === 'pending' ? null : words.saleStates[sale.status === 'paid' ? 'paid' : 'review'];
      return html`<li><p>${what}${state !== null && html`: ${state}`}</p>${sale.status === 'pending' && html`<div class="actions">${plainLink(paymentUrl('', sale.pay_token), words.goOn)}</div>`}</li>`;
    })}</ul>`,
    { title: words.waiting },
  );
}

export function daysOf({ plan }: Texts, { days, carried_days: carried }: PlanPeriod): string {
  return carried === 0 ? String(days) : plan.daysCarried({ days, carried });
}

export function purchases({ texts }: Visit, terms: readonly PlanPeriod[]): Html | null {
  const words = texts.plan;
  if (terms.length === 0) return null;
  const rows = [...terms].sort((one, other) => other.receipt.number - one.receipt.number);
  return html`<section><h2>${words.purchases}</h2>${rowList(
    rows.map(term => ({
      href: `/dashboard/plan/receipts/${term.order_id}`,
      face: { icon: 'doc', tone: 'still' },
      who: html`${term.title[texts.tag]} · R-${term.receipt.number}`,
      what: `${dayOf(texts, term.starts_at)} – ${dayOf(texts, term.ends_at)}`,
      sum: money(term.receipt.received_paise),
    })),
  )}</section>`;
}
