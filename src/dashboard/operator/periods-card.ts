import { day, later } from '../../base/clock.ts';
import { type Html, html } from '../../base/http/html.ts';
import type { World } from '../../base/world.ts';
import { recordAuditInBoth } from '../../business/accounts/record-audit.ts';
import { endPeriod } from '../../orders/sales/keep-periods.ts';
import { type PlanPeriod, selectPeriods } from '../../orders/sales/queries.ts';
import { sayTime } from '../../texts/say-time.ts';
import { because } from '../../texts/verdicts.ts';
import { field, postForm, selectField } from '../frame/controls.ts';
import { card } from '../frame/parts.ts';
import { actorOf } from '../frame/record-change.ts';
import { type Answer, notFound, redirect, type Visit } from '../frame/route.ts';
import { addressOf, findBusiness } from './change-business.ts';

export async function periodsCard(world: World, { texts }: Visit, merchantId: number): Promise<Html | null> {
  const words = texts.operatorSales;
  const terms = await selectPeriods(world.sql, merchantId);
  if (terms.length === 0) return null;
  const line = (term: PlanPeriod) => {
    const [from, until] = [term.starts_at, term.ends_at].map(at => sayTime(texts.tag, at, 'full'));
    return `${texts.plan.termLine({ plan: term.title[texts.tag], from: from!, until: until! })}, R-${term.receipt.number}`;
  };
  const open = terms.filter(term => term.ended_by === null);
  const fields = [
    selectField('order', words.term, {
      value: open[0]?.order_id ?? '',
      choices: open.map(term => ({
        value: term.order_id,
        text: `${term.title[texts.tag]}, R-${term.receipt.number}`,
      })),
    }),
    field('day', words.endOn, { type: 'date', required: true }),
  ];
  const list = html`<ul class="plain-list">${terms.map(term => html`<li>${line(term)}</li>`)}</ul>
<p class="quiet">${words.termsText}</p>${open.length > 0 && postForm(`${addressOf({ merchant_id: merchantId })}/end-term`, words.end, fields, { danger: true })}`;
  return card(list, { title: words.terms });
}

/** Ends the period at the end of an Indian day. A day in the past means now. */
export async function endBoughtPeriod(world: World, visit: Visit): Promise<Answer> {
  const { form, now, texts } = visit;
  const row = await findBusiness(world, visit);
  if (!row) return notFound();
  const endsAt = endOfDay(form.text('day'));
  const orderId = form.text('order');
  const back = addressOf(row);
  if (!endsAt) return redirect(back, texts.operatorSales.notEnded);
  const { merchant_id: merchantId } = row;
  const ended = await world.sql.begin(async tx => {
    const term = await endPeriod(tx, { merchantId, orderId, endsAt, now });
    if (!term) return false;
    const plan = term.title.en;
    const audited = {
      action: 'plan.end',
      subject: orderId,
      details: { plan, day: form.text('day') },
      notice: because('term_ended', { plan, order: orderId, until: term.ends_at }),
    } as const;
    await recordAuditInBoth(tx, actorOf(visit), merchantId, audited);
    return true;
  });
  return redirect(back, ended ? texts.operatorSales.ended : texts.operatorSales.notEnded);
}

function endOfDay(typed: string): Date | null {
  if (!/^\d{4}-\d\d-\d\d$/.test(typed)) return null;
  const start = new Date(`${typed}T00:00:00+05:30`);
  return Number.isNaN(start.getTime()) ? null : later(start, 1 * day);
}
