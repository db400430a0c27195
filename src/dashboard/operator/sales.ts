import { html } from '../../base/http/html.ts';
import type { World } from '../../base/world.ts';
import { selectSeller } from '../../orders/sales/queries.ts';
import { linkButton } from '../frame/controls.ts';
import { card, emptyState, moment, pagination, rupees, screen } from '../frame/parts.ts';
import { type Answer, fresh, get, post, type Visit } from '../frame/route.ts';
import { money, rowList, state } from '../frame/rows.ts';
import { withQuery } from '../frame/with-query.ts';
import { addressOf, businessLink, planTabs } from './change-business.ts';
import { endBoughtPeriod } from './periods-card.ts';
import { type SalePosition, type SaleRow, selectRegister, selectSales } from './queries/sales.ts';

const home = '/dashboard/operator/sales';
const perPage = 50;

export const saleRoutes = [
  get(home, 'operator', showSales),
  get(`${home}/register`, 'operator', async (world, { now }) => ({
    kind: 'download',
    name: `plans-${now.toISOString().slice(0, 10)}.csv`,
    type: 'text/csv; charset=utf-8',
    content: await selectRegister(world.sql),
  })),
  post('/dashboard/operator/businesses/:merchant_id/end-term', fresh('operator'), endBoughtPeriod),
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
    { label: texts.shell.navigation.operatorSales },
  );
  return screen(texts.shell.navigation.operatorPlans, { quietOnPhone: true })`
${planTabs(texts, 'operatorSales')}
<p class="quiet">${words.text}</p>
${card(html`<p>${seller ? html`${words.seller}: ${businessLink(seller)}` : words.noSeller}</p>`)}
${card(shown.length === 0 ? emptyState(words.emptyTitle, words.emptyText) : html`<div class="actions">${linkButton(`${home}/register`, words.register, { plain: true })}</div>${list}`)}
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
