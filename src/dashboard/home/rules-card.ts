import { type Html, html } from '../../base/http/html.ts';
import type { World } from '../../base/world.ts';
import { moneyRules } from '../../business/merchants/money-rules.ts';
import { sayDay } from '../../texts/say-time.ts';
import { facts, rupees, titledCard } from '../frame/parts.ts';
import type { Visit } from '../frame/route.ts';
import { selectInflow } from './queries.ts';

/** What came in beside the sums from which others' rules change. Nothing where nothing came. */
export async function rulesCard({ sql }: Pick<World, 'sql'>, visit: Visit): Promise<Html | null> {
  const { year_paise: year, personal_paise: month } = await selectInflow(sql, visit.merchantId, visit.now);
  if (year === 0) return null;
  const words = visit.texts.home.rules;
  const { personalMonth, gstServices, gstGoods, lookedAt } = moneyRules;
  const sources = [...(month === null ? [] : [personalMonth]), gstServices, gstGoods].map(one => one.source);
  return titledCard({ title: words.title, id: 'rules' })`${facts([
    [
      words.month,
      month !== null &&
        html`<strong>${rupees(month)}</strong> ${words.monthText(rupees(personalMonth.paise))}`,
    ],
    [
      words.year,
      html`<strong>${rupees(year)}</strong> ${words.yearText(rupees(gstServices.paise), rupees(gstGoods.paise))}`,
    ],
  ])}<p class="quiet">${words.sources(sources.join('; '), sayDay(visit.texts.tag, lookedAt))}</p>`;
}
