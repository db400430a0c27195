import { html } from '../../base/http/html.ts';
import type { World } from '../../base/world.ts';
import { recordAuditInBoth } from '../../business/accounts/record-audit.ts';
import { endPeriod } from '../../orders/sales/keep-periods.ts';
import { type PlanPeriod, selectPeriods, selectSeller } from '../../orders/sales/queries.ts';
import { sayTime } from '../../texts/say-time.ts';
import { because } from '../../texts/verdicts.ts';
import { field, linkButton, postForm, selectField } from '../frame/controls.ts';
import { addDays, indianDay, readDay, startOfDay } from '../frame/indian-days.ts';
import { emptyState, moment, pagination, rupees, screen } from '../frame/parts.ts';
import { actorOf } from '../frame/record-change.ts';
import { type Answer, get, post, reauth, redirect, type Visit } from '../frame/route.ts';
import { money, rowList, state } from '../frame/rows.ts';
import { withQuery } from '../frame/with-query.ts';
import { addressOf, merchantLink, ofMerchant, planTabs, section } from './change-merchant.ts';
import type { MerchantOverview } from './queries/operator.ts';
import { type SalePosition, type SaleRow, selectRegister, selectSales } from './queries/sales.ts';

const home = '/dashboard/operator/sales';
const perPage = 50;

export const salesRoutes = [
  get(home, 'operator', showSales),
  get(`${home}/register`, 'operator', async (world, { now }) => ({
    kind: 'download',
    name: `plans-${indianDay(now)}.csv`,
    type: 'text/csv; charset=utf-8',
    content: await selectRegister(world.sql),
  })),
  post(
    '/dashboard/operator/businesses/:merchant_id/end-term',
    reauth('operator'),
    ofMerchant(endBoughtPeriod),
  ),
];

async function showSales(world: World, { texts, query }: Visit): Promise<Answer> {
  const words = texts.operatorSales;
  const after = readPosition(query.text('after'));
  const [rows, seller] = await Promise.all([
    selectSales(world.sql, { after, limit: perPage + 1 }),
    selectSeller(world.sql),
  ]);
  const shown = rows.slice(0, perPage);
  const last = rows.length > perPage ? shown.at(-1) : undefined;
  const older =
    last && withQuery(home, { after: `${last.paid_at.getTime()}.${last.merchant_id}.${last.order_id}` });
  const list = rowList(
    shown.map(row => ({
      href: addressOf({ merchant_id: row.buyer_id }),
      who: html`<bdi>${row.buyer.name}</bdi>`,
      what: `${row.receipt_number === null ? '' : `R-${row.receipt_number} · `}${texts.plan.priceFor({ plan: row.title[texts.tag], price: rupees(row.price_paise), days: row.days })}`,
      when: moment(row.paid_at),
      sum: money(row.received_paise),
      state: state(words.states[row.state], toneOf(row.state)),
    })),
    { label: texts.operator.navigation.operatorSales },
  );
  return screen(texts.operator.navigation.operatorPlans, { quietOnPhone: true })`
${planTabs(texts, 'operatorSales')}
<p class="quiet">${words.text}</p>
<p>${seller ? html`${words.seller}: ${merchantLink(seller)}` : words.noSeller}</p>
${shown.length === 0 ? emptyState(words.emptyTitle, words.emptyText) : html`<div class="actions">${linkButton(`${home}/register`, words.register, { plain: true })}</div>${list}`}
${pagination(texts, { newer: after === null ? null : home, older: older ?? null })}`;
}

function readPosition(text: string): SalePosition | null {
  const [, time, merchantId, order_id] = /^(\d{1,15})\.(\d{1,15})\.([\w-]{1,40})$/.exec(text) ?? [];
  if (!order_id) return null;
  return { paid_at: new Date(Number(time)), merchant_id: Number(merchantId), order_id };
}

function toneOf(state: SaleRow['state']): 'good' | 'warn' | 'bad' {
  return state === 'applied' ? 'good' : state === 'waiting' ? 'warn' : 'bad';
}

export async function periodsCard(world: World, { texts }: Visit, merchantId: number) {
  const words = texts.operatorSales;
  const periods = await selectPeriods(world.sql, merchantId);
  if (periods.length === 0) return null;
  const line = (period: PlanPeriod) => {
    const [from, until] = [period.starts_at, period.ends_at].map(at => sayTime(texts.tag, at, 'full'));
    return `${texts.plan.periodLine({ plan: period.title[texts.tag], from: from!, until: until! })}, R-${period.receipt.number}`;
  };
  const open = periods.filter(period => period.ended_by === null);
  const fields = [
    selectField('order', words.period, {
      value: open[0]?.order_id ?? '',
      choices: open.map(period => ({
        value: period.order_id,
        text: `${period.title[texts.tag]}, R-${period.receipt.number}`,
      })),
    }),
    field('day', words.endOn, { required: true }),
  ];
  const list = html`<ul class="plain-list">${periods.map(period => html`<li>${line(period)}</li>`)}</ul>
<p class="quiet">${words.periodsText}</p>${open.length > 0 && postForm(`${addressOf({ merchant_id: merchantId })}/end-term`, words.end, fields, { danger: true })}`;
  return section(words.periods)`${list}`;
}

/** Ends the period at the end of an Indian day. A day in the past means now. */
async function endBoughtPeriod(world: World, visit: Visit, row: MerchantOverview): Promise<Answer> {
  const { form, now, texts } = visit;
  const last = readDay(form.text('day'));
  const orderId = form.text('order');
  const back = addressOf(row);
  if (last === null) return redirect(back, texts.operatorSales.notEnded);
  const endsAt = startOfDay(addDays(last, 1));
  const { merchant_id: merchantId } = row;
  const ended = await world.sql.begin(async tx => {
    const period = await endPeriod(tx, { merchantId, orderId, endsAt, now });
    if (!period) return false;
    const plan = period.title.en;
    const audited = {
      action: 'plan.end',
      subject: orderId,
      details: { plan, day: last },
      notice: because('term_ended', { plan, order: orderId, until: period.ends_at }),
    } as const;
    await recordAuditInBoth(tx, actorOf(visit), merchantId, audited);
    return true;
  });
  return redirect(back, ended ? texts.operatorSales.ended : texts.operatorSales.notEnded);
}
