import { type Html, html } from '../../base/http/html.ts';
import type { World } from '../../base/world.ts';
import { unapprovedPlan } from '../../business/merchants/plans.ts';
import type { Texts } from '../../texts/languages.ts';
import { sayDay } from '../../texts/say-time.ts';
import { barChart } from '../frame/bar-chart.ts';
import { linkButton } from '../frame/controls.ts';
import {
  card,
  dayText,
  emptyState,
  facts,
  note,
  roundRupees,
  rupees,
  screen,
  table,
} from '../frame/parts.ts';
import { type Answer, get, notFound, type Visit } from '../frame/route.ts';
import { type MonthFigure, type PlanUsage, selectMonths, selectPlanUsage } from './queries.ts';

export const planRoutes = [get('/dashboard/plan', 'business.read', showPlan)];

async function showPlan(world: World, visit: Visit): Promise<Answer> {
  const { texts, merchantId, now } = visit;
  const words = texts.plan;
  const usage = await selectPlanUsage(world.sql, merchantId, now);
  if (!usage) return notFound();
  const months = await selectMonths(world.sql, merchantId);
  const name = (month: MonthFigure) => sayDay(texts.tag, month.month);
  const columns = [
    { title: texts.labels.month, cell: name },
    {
      title: texts.labels.collected,
      cell: (month: MonthFigure) => rupees(month.collected_paise),
      number: true,
    },
  ];
  return screen(texts.shell.navigation.plan)`
${usage.plan === unapprovedPlan && note(texts.platform.awaitsWord)}
${usageCard(texts, usage)}
${card(
  months.length === 0
    ? emptyState(words.emptyTitle, words.emptyText)
    : html`${barChart({
        id: 'months',
        summary: words.monthsText(months.length),
        bars: [...months].reverse().map(month => ({
          name: name(month),
          short: dayText(texts.tag, month.month, 'shortMonth'),
          amount: month.collected_paise,
          value: rupees(month.collected_paise),
        })),
        scale: roundRupees,
        limit: usage.monthly_limit_paise,
      })}
<details><summary>${texts.home.asTable}</summary>${table({ caption: words.months, columns, rows: months })}</details>`,
  { title: words.months },
)}`;
}

function usageCard({ labels, plan: words, shell }: Texts, usage: PlanUsage): Html {
  const { monthly_limit_paise: limit, account_limit: accounts, history_days: days } = usage;
  const percent = limit === null ? 0 : Math.min(100, Math.floor((usage.collected_paise / limit) * 100));
  return card(
    html`${facts([
      [words.plan, usage.plan],
      [
        labels.thisMonth,
        html`<strong>${rupees(usage.collected_paise)}</strong>${limit !== null && html`<br><meter min="0" max="100" high="80" value="${percent}" aria-label="${labels.thisMonth}">${percent}%</meter> ${words.used(percent)}`}`,
      ],
      [
        labels.monthlyLimit,
        limit === null
          ? labels.noLimit
          : html`${rupees(limit)}<br><span class="quiet">${words.monthText}</span>`,
      ],
      [
        shell.navigation.upiAccounts,
        accounts === null
          ? `${usage.accounts}, ${labels.noLimit}`
          : html`${words.accountsOf(usage.accounts, accounts)}<br><span class="quiet">${words.accountsText}</span>`,
      ],
      [
        words.history,
        days === null
          ? labels.noLimit
          : html`${words.historyDays(days)}<br><span class="quiet">${words.historyText}</span>`,
      ],
    ])}
${usage.upgrade_url !== null && html`<div class="actions">${linkButton(usage.upgrade_url, labels.changePlan)}</div>`}`,
  );
}
