import { day, later } from '../../base/clock.ts';
import { type Html, html } from '../../base/http/html.ts';
import type { World } from '../../base/world.ts';
import { recordDeed } from '../../business/accounts/record-deed.ts';
import { endTerm } from '../../orders/sales/end-term.ts';
import { selectSeller, selectTerms, type Term } from '../../orders/sales/queries.ts';
import { sayTime } from '../../texts/say-time.ts';
import { because } from '../../texts/verdicts.ts';
import { field, linkButton, postForm } from '../frame/controls.ts';
import { badge, card, emptyState, moment, pagination, rupees, screen, table } from '../frame/parts.ts';
import { recordChange } from '../frame/record-change.ts';
import { type Answer, fresh, get, notFound, post, redirect, type Visit } from '../frame/route.ts';
import { withQuery } from '../frame/with-query.ts';
import { type SaleRow, selectRegister, selectSales } from './queries/sales.ts';

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
  post('/dashboard/operator/businesses/:merchant_id/end-term', fresh('operator'), endBoughtTerm),
];

async function showSales(world: World, { texts, query }: Visit): Promise<Answer> {
  const words = texts.operatorSales;
  const before = /^\d{1,15}$/.test(query.text('before')) ? new Date(Number(query.text('before'))) : null;
  const [rows, seller] = await Promise.all([
    selectSales(world.sql, { before, limit: perPage + 1 }),
    selectSeller(world.sql),
  ]);
  const shown = rows.slice(0, perPage);
  const older =
    rows.length > perPage ? withQuery(home, { before: String(shown.at(-1)!.paid_at.getTime()) }) : null;
  const list = table({
    caption: texts.shell.navigation.operatorSales,
    rows: shown,
    columns: [
      { title: words.receipt, cell: row => (row.receipt_number === null ? '–' : `R-${row.receipt_number}`) },
      { title: texts.labels.when, cell: row => moment(row.paid_at) },
      {
        title: texts.labels.business,
        cell: row =>
          html`<a href="/dashboard/operator/businesses/${row.buyer_id}"><bdi>${row.buyer.name}</bdi></a>`,
      },
      {
        title: texts.labels.plan,
        cell: row => texts.plan.priceFor(row.title[texts.tag], rupees(row.price_paise), row.days),
      },
      { title: texts.labels.received, cell: row => rupees(row.received_paise), number: true },
      { title: texts.labels.state, cell: ({ state }) => badge(words.states[state], toneOf(state)) },
    ],
  });
  return screen(texts.shell.navigation.operatorSales, { text: words.text })`
${card(html`<p>${seller ? html`${words.seller}: <a href="/dashboard/operator/businesses/${seller.merchant_id}"><bdi>${seller.name}</bdi></a>` : words.noSeller}</p>`)}
${card(shown.length === 0 ? emptyState(words.emptyTitle, words.emptyText) : html`<div class="actions">${linkButton(`${home}/register`, words.register, { plain: true })}</div>${list}`)}
${pagination(texts, { newer: before === null ? null : home, older })}`;
}

function toneOf(state: SaleRow['state']): 'good' | 'warn' | 'bad' {
  return state === 'applied' ? 'good' : state === 'waiting' ? 'warn' : 'bad';
}

/** On the page of a business: what it has, and a way to end it. */
export async function termsCard(world: World, { texts }: Visit, merchantId: number): Promise<Html | null> {
  const words = texts.operatorSales;
  const terms = await selectTerms(world.sql, merchantId);
  if (terms.length === 0) return null;
  const one = (term: Term) =>
    html`<li><p>${texts.plan.termLine(
      term.title[texts.tag],
      sayTime(texts.tag, term.starts_at, 'full'),
      sayTime(texts.tag, term.ends_at, 'full'),
    )}, R-${term.receipt.number}</p>${
      term.ended_by === null &&
      postForm({
        action: `/dashboard/operator/businesses/${merchantId}/end-term`,
        submit: words.end,
        danger: true,
        fields: html`<input type="hidden" name="order" value="${term.order_id}">${field({ name: 'day', label: words.endOn, type: 'date', required: true })}`,
      })
    }</li>`;
  const list = html`<p class="quiet">${words.termsText}</p><ul class="plain-list">${terms.map(one)}</ul>`;
  return card(list, { title: words.terms });
}

/** At the end of a day in India. One that is over means now. */
async function endBoughtTerm(world: World, visit: Visit): Promise<Answer> {
  const { params, form, user, address, now, texts } = visit;
  const id = params['merchant_id'] ?? '';
  const endsAt = endOfDay(form.text('day'));
  const orderId = form.text('order');
  const back = `/dashboard/operator/businesses/${id}`;
  if (!/^\d{1,15}$/.test(id)) return notFound();
  if (!endsAt) return redirect(back, texts.operatorSales.notEnded);
  const merchantId = Number(id);
  const ended = await world.sql.begin(async tx => {
    const term = await endTerm(tx, { merchantId, orderId, endsAt, now });
    if (!term) return false;
    const plan = term.title.en;
    const deed = {
      action: 'plan.end',
      subject: orderId,
      details: { plan, day: form.text('day') },
      notice: because('term_ended', { plan, order: orderId, until: term.ends_at }),
    } as const;
    await recordChange(tx, visit, deed);
    await recordDeed(tx, { merchantId, actor: `operator ${user.email}`, address, now }, deed);
    return true;
  });
  return redirect(back, ended ? texts.operatorSales.ended : texts.operatorSales.notEnded);
}

function endOfDay(typed: string): Date | null {
  if (!/^\d{4}-\d\d-\d\d$/.test(typed)) return null;
  const start = new Date(`${typed}T00:00:00+05:30`);
  return Number.isNaN(start.getTime()) ? null : later(start, 1 * day);
}
