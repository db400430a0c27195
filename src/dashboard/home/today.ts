import { type Html, html } from '../../base/http/html.ts';
import type { World } from '../../base/world.ts';
import { plainLink } from '../frame/controls.ts';
import { card, dayText, moment, rupees, titledCard } from '../frame/parts.ts';
import type { Visit } from '../frame/route.ts';
import { type HomeFigures, type LatestPayment, selectHomeFigures, selectLatestPayments } from './queries.ts';

const shownPayments = 6;

/** How today is going; the script asks for it again and again. Null for somebody without a business. */
export async function figuresOfToday({ sql }: Pick<World, 'sql'>, visit: Visit): Promise<Html | null> {
  const figures = await selectHomeFigures(sql, visit.merchantId, visit.now);
  return figures && figureCards(visit, figures);
}

/** As live as the figures. */
export async function latestPayments({ sql }: Pick<World, 'sql'>, visit: Visit): Promise<Html> {
  const payments = await selectLatestPayments(sql, visit.merchantId, visit.now, shownPayments);
  return payments.length === 0 ? html`` : latest(visit, payments);
}

function figureCards(visit: Visit, figures: HomeFigures): Html {
  const words = visit.texts.home;
  const { made, made_paid, made_open, monthly_limit_paise: limit } = figures;
  const figure = (name: string, value: string, ...lines: string[]) =>
    card(
      html`<h2 class="quiet">${name}</h2><p class="figure${value.length > 9 && ' long'}">${value}</p>${lines.filter(line => line !== '').map(line => html`<p class="quiet">${line}</p>`)}`,
    );
  return html`<div class="figures">
${figure(words.today, rupees(figures.today_paise), paymentsOf(visit, figures), compared(visit, figures))}
${figure(words.share, shareOf(made_paid, made), made === 0 ? words.noneMade : words.shareText(made_paid, made, made_open))}
${figure(words.month, rupees(figures.month_paise), limit === null ? '' : words.ofLimit(rupees(limit)))}
</div>`;
}

function paymentsOf({ texts: { home: words } }: Visit, { today_orders, today_takings }: HomeFigures): string {
  const all = words.orders(today_orders);
  return today_takings === 0 ? all : `${all}, ${words.takings(today_takings)}`;
}

function shareOf(paid: number, made: number): string {
  if (made === 0) return '–';
  const percent = Math.round((paid / made) * 100);
  return percent === 0 && paid > 0 ? '< 1%' : `${percent}%`;
}

/** In words, because a bare arrow does not say what it is compared with. */
function compared({ texts, now }: Visit, { today_paise, before_paise }: HomeFigures): string {
  const words = texts.home;
  if (before_paise === null) return '';
  const weekday = dayText(texts.tag, now, 'weekday');
  const apart = rupees(Math.abs(today_paise - before_paise));
  if (before_paise === 0) return words.nothingBefore(weekday);
  if (today_paise === before_paise) return words.asBefore(weekday);
  return today_paise > before_paise ? words.moreThan(apart, weekday) : words.lessThan(apart, weekday);
}

function latest({ texts }: Visit, payments: readonly LatestPayment[]): Html {
  const words = texts.home;
  return titledCard({
    title: words.latest,
    actions: plainLink('/dashboard/orders?status=paid', words.allPayments),
  })`
<ul class="payments">${payments.map(
    one =>
      html`<li><a href="/dashboard/${one.order_id === null ? `money/${one.alert_id}` : `orders/${one.order_id}`}"><strong>${rupees(one.received_paise)}</strong></a> <bdi class="cut">${one.customer?.name ?? one.payer ?? (one.merchant_order_id || texts.till.withoutOrder)}</bdi> <span class="quiet">${moment(one.paid_at)}</span></li>`,
  )}</ul>`;
}
