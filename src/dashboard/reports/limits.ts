import type { Queryable } from '../../base/database/connect.ts';
import { type Html, html } from '../../base/http/html.ts';
import { indianMonth } from '../../business/merchants/indian-month.ts';
import { moneyRules } from '../../business/merchants/money-rules.ts';
import { receivedMoney } from '../../payments/matching/queries/orderless.ts';
import { sayDay } from '../../texts/say-time.ts';
import { fold } from '../frame/choosing.ts';
import { card, roundRupees } from '../frame/parts.ts';
import type { Visit } from '../frame/route.ts';

type LimitName = 'personalMonth' | 'gstServices' | 'gstGoods';

/** The sum that came in, next to one above which tax or UPI rules change. */
export type Limit = { name: LimitName; paise: number; percent: number };

/** From here on a limit is something to do. */
export const nearPercent = 80;

/** None without income. The sums come from the counter that the plan's limit uses. */
export async function findLimits(sql: Queryable, merchantId: number, now: Date): Promise<Limit[]> {
  const { year_paise, personal_paise } = await selectInflow(sql, merchantId, now);
  if (year_paise === 0) return [];
  const limit = (name: LimitName, paise: number): Limit => {
    return { name, paise, percent: Math.floor((paise / moneyRules[name].paise) * 100) };
  };
  const month = personal_paise === null ? [] : [limit('personalMonth', personal_paise)];
  return [...month, limit('gstServices', year_paise), limit('gstGoods', year_paise)];
}

/** Income in this Indian financial year, and this month's on personal UPI IDs; null if there is none. */
async function selectInflow(sql: Queryable, merchantId: number, now: Date) {
  const month = indianMonth(sql, now);
  const kinds = (kind: string) =>
    sql`exists (select from upi_accounts u where u.merchant_id = ${merchantId} and u.kind = ${kind})`;
  const collected = (since: unknown) => sql`
    (select coalesce(sum(c.collected_paise), 0)::bigint from collections c
      where c.merchant_id = ${merchantId} and c.month >= ${since})`;
  const [row] = await sql<{ year_paise: number; personal_paise: number | null }[]>`
    select ${collected(sql`date_trunc('year', ${month} - interval '3 months') + interval '3 months'`)} as year_paise,
      case when not ${kinds('personal')} then null when not ${kinds('merchant')} then ${collected(month)}
        else (select coalesce(sum(o.received_paise), 0)::bigint
          from ${receivedMoney(sql, now)} o join upi_accounts u on u.merchant_id = o.merchant_id and u.account_id = o.account_id
          where o.merchant_id = ${merchantId} and u.kind = 'personal'
            and o.paid_at >= ${month}::timestamp at time zone 'Asia/Kolkata') end as personal_paise`;
  return row!;
}

export function limitsCard({ texts }: Visit, limits: readonly Limit[]): Html | null {
  if (limits.length === 0) return null;
  const words = texts.reports;
  const sources = limits.map(({ name }) => moneyRules[name].source).join('; ');
  const isPersonal = limits.some(({ name }) => name === 'personalMonth');
  return card(
    html`${limits.map(({ name, paise, percent }) => {
      const near = percent >= nearPercent;
      const sum = words.ofLimit({ sum: roundRupees(paise), limit: roundRupees(moneyRules[name].paise) });
      return html`<div class="stack tight"><p class="between small"><span>${words.ruleNames[name]}</span><span class="one-line${near && ' warn'}">${sum}</span></p>
<svg class="meter${near && ' warn'}" viewBox="0 0 100 1" preserveAspectRatio="none" aria-hidden="true"><rect width="${Math.min(100, percent)}" height="1"></rect></svg></div>`;
    })}<p class="small quiet">${isPersonal ? words.personalText : words.gstText}</p>
${fold(words.writtenIn, html`<p class="small quiet">${words.sourcesText({ sources, day: sayDay(texts.tag, moneyRules.lookedAt) })}</p>`)}`,
    { title: words.rules, id: 'rules' },
  );
}
