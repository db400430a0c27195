import { type Html, html } from '../../base/http/html.ts';
import type { World } from '../../base/world.ts';
import {
  isForSale,
  type Plan,
  type PlanForSale,
  selectPlans,
  titleOf,
  unapprovedPlan,
} from '../../business/merchants/plans.ts';
import { paymentUrl } from '../../orders/order.ts';
import { computePeriod } from '../../orders/sales/compute-period.ts';
import {
  type OpenSale,
  type PlanPeriod,
  selectOpenSales,
  selectParty,
  selectPeriods,
  selectSeller,
} from '../../orders/sales/queries.ts';
import type { Texts } from '../../texts/languages.ts';
import { sayTime } from '../../texts/say-time.ts';
import { linkButton, postButton } from '../frame/controls.ts';
import { note, roundRupees, rupees } from '../frame/parts.ts';
import { type Answer, notFound, type Visit } from '../frame/route.ts';
import { type ListRow, money, rowList } from '../frame/rows.ts';
import { shopScreen } from '../frame/shop-page.ts';
import { type PlanUsage, selectPlanUsage } from './queries.ts';
import { partySection } from './receipts.ts';

export async function planPage(world: World, visit: Visit, status = 200): Promise<Answer> {
  const { texts, merchantId, now } = visit;
  const usage = await selectPlanUsage(world.sql, merchantId, now);
  if (!usage) return notFound();
  const [plans, periods, sales, seller, party] = await Promise.all([
    selectPlans(world.sql),
    selectPeriods(world.sql, merchantId, { all: true }),
    selectOpenSales(world.sql, merchantId, now),
    selectSeller(world.sql),
    selectParty(world.sql, merchantId),
  ]);
  const isSold =
    seller !== null &&
    plans.some(isForSale) &&
    seller.merchant_id !== merchantId &&
    visit.merchant.disabledAt === null &&
    usage.plan !== unapprovedPlan;
  const running = periods.filter(period => !period.is_over);
  return shopScreen(visit, 'plan', { status })`<div class="stack groups">
${usage.plan === unapprovedPlan && note(texts.platform.awaitsWord)}
${usageSection(visit, usage, running, isSold)}
${sales.length > 0 && openSales(texts, sales)}
${isSold && offers(visit, plans, running, usage.plan)}
${periods.length > 0 && purchases(texts, periods)}
${(isSold || periods.length > 0 || seller?.merchant_id === merchantId) && party && partySection(visit, party)}</div>`;
}

function usageSection(
  { texts, now }: Visit,
  usage: PlanUsage,
  periods: readonly PlanPeriod[],
  isSold: boolean,
) {
  const { labels, plan: words, tag } = texts;
  const { monthly_limit_paise: limit } = usage;
  const percent = limit === null ? 0 : Math.min(100, Math.floor((usage.collected_paise / limit) * 100));
  const last = periods.at(-1);
  const isInGrace = last && last.ends_at <= now && now < last.lapses_at;
  return html`<section><h2>${titleOf(usage)[tag]}</h2>
${isInGrace && note(words.inGrace({ plan: last.title[tag], until: dayOf(texts, last.lapses_at) }))}
<p class="figure">${money(usage.collected_paise)}</p>
<p class="small quiet">${labels.thisMonth}${limit !== null && ` · ${words.used({ percent })}`}</p>
${limit !== null && html`<meter min="0" max="100" high="80" value="${percent}" aria-label="${labels.thisMonth}">${percent}%</meter>`}
<ul class="plain-list near">${limitsOf(texts, usage).map(said => html`<li>${said}</li>`)}</ul>
${
  !isInGrace &&
  periods.map(({ title, starts_at, ends_at }) => {
    const [from, until] = [dayOf(texts, starts_at), dayOf(texts, ends_at)];
    return html`<p>${words.periodLine({ plan: title[tag], from, until })}</p>`;
  })
}
${limit !== null && html`<p class="small quiet">${words.monthText}</p>`}
${usage.upgrade_url !== null && !isSold && html`<div class="actions">${linkButton(usage.upgrade_url, labels.changePlan)}</div>`}</section>`;
}

function limitsOf({ plan: words }: Texts, plan: Plan): string[] {
  const { monthly_limit_paise: sum, account_limit: count, history_days: days } = plan;
  return [
    sum === null ? words.anySum : words.sumAMonth({ sum: roundRupees(sum) }),
    count === null ? words.anyAccounts : words.accounts({ count }),
    days === null ? words.anyHistory : words.historyFor({ days }),
  ];
}

function dayOf({ tag }: Texts, at: Date): string {
  return sayTime(tag, at, 'date');
}

function offers(visit: Visit, plans: readonly Plan[], periods: readonly PlanPeriod[], mine: string): Html {
  const words = visit.texts.plan;
  const offered = plans.filter(isForSale).sort((one, other) => one.price_paise - other.price_paise);
  const rows = offered.map(offer => offerRow(visit, offer, periods, offer.plan === mine));
  return html`<section id="plans"><h2>${words.offers}</h2><div class="wrapped">${rowList(rows)}</div>
${!visit.may('business.change') && html`<p class="small quiet">${words.whoBuys}</p>`}</section>`;
}

function offerRow(
  { texts, now, may }: Visit,
  plan: PlanForSale,
  periods: readonly PlanPeriod[],
  isMine: boolean,
): ListRow {
  const words = texts.plan;
  const { price_paise, period_days: days } = plan;
  const { startsAt, endsAt, carried } = computePeriod(periods, { price_paise, days }, now);
  const [from, until] = [dayOf(texts, startsAt), dayOf(texts, endsAt)];
  const begins = startsAt > now ? words.beginsOn({ from, until }) : words.beginsNow({ until });
  const title = titleOf(plan)[texts.tag];
  const values = {
    plan: plan.plan,
    price: String(price_paise),
    days: String(days),
    carried: String(carried),
  };
  return {
    who: saleText(texts, title, price_paise, days),
    what: html`${limitsOf(texts, plan).join(' · ')}<br>${isMine && periods.length > 0 && words.renews} ${begins}${carried > 0 && ` ${words.carries({ count: carried })}`}`,
    ...(may('business.change') && {
      state: postButton('/dashboard/plan/buy', words.buy({ plan: title }), { values }),
    }),
  };
}

function saleText({ plan: words }: Texts, plan: string, paise: number, days: number): string {
  return words.priceFor({ plan, price: paise % 100 === 0 ? roundRupees(paise) : rupees(paise), days });
}

function openSales(texts: Texts, sales: readonly OpenSale[]): Html {
  const words = texts.plan;
  const isOpen = ({ status }: OpenSale) => status === 'pending';
  const shown = sales.filter(
    (sale, at) => !isOpen(sale) || sales.findIndex(one => isOpen(one) && one.plan === sale.plan) === at,
  );
  const rows = shown.map(sale => ({
    who: saleText(texts, sale.title[texts.tag], sale.price_paise, sale.days),
    what: isOpen(sale) ? words.goOn : words.saleStates[sale.status === 'paid' ? 'paid' : 'review'],
    ...(isOpen(sale) && { href: paymentUrl('', sale.pay_token) }),
  }));
  return html`<section><h2>${words.waiting}</h2><div class="wrapped">${rowList(rows)}</div></section>`;
}

function purchases(texts: Texts, periods: readonly PlanPeriod[]): Html {
  const rows = [...periods].sort((one, other) => other.receipt.number - one.receipt.number);
  return html`<section><h2>${texts.plan.purchases}</h2>${rowList(
    rows.map(period => ({
      href: `/dashboard/plan/receipts/${period.order_id}`,
      face: { icon: 'doc', tone: 'still' },
      who: html`${period.title[texts.tag]} · R-${period.receipt.number}`,
      what: `${dayOf(texts, period.starts_at)} – ${dayOf(texts, period.ends_at)}`,
      sum: money(period.receipt.received_paise),
    })),
  )}</section>`;
}
