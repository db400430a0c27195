import { type Html, html } from '../../../http/html.ts';
import type { World } from '../../../world.ts';
import { linkButton } from '../../components/button.ts';
import { card } from '../../components/card.ts';
import { emptyState } from '../../components/empty-state.ts';
import { facts } from '../../components/facts.ts';
import { pageHead } from '../../components/page-head.ts';
import { table } from '../../components/table.ts';
import { type MonthFigure, type PlanUsage, selectMonths, selectPlanUsage } from '../../queries/plan.ts';
import { type Answer, type DashboardRoute, notFound, page, type Visit } from '../../route.ts';
import { type BothLanguages, inLanguage } from '../in-language.ts';
import { rupees } from '../rupees.ts';

type PlanTexts = {
  title: string;
  plan: string;
  thisMonth: string;
  collected: string;
  limit: string;
  noLimit: string;
  used: (percent: number) => string;
  monthText: string;
  accounts: string;
  accountsOf: (used: number, limit: number) => string;
  accountsText: string;
  history: string;
  historyDays: (days: number) => string;
  historyText: string;
  upgrade: string;
  months: string;
  month: string;
  emptyTitle: string;
  emptyText: string;
};

const planTexts: BothLanguages<PlanTexts> = {
  en: {
    title: 'Plan and usage',
    plan: 'Your plan',
    thisMonth: 'This month',
    collected: 'Collected',
    limit: 'Limit a month',
    noLimit: 'no limit',
    used: percent => `${percent}% used`,
    monthText:
      'A month is a calendar month in India. At the limit new orders are refused with plan_limit_reached; open ones can still be paid.',
    accounts: 'UPI accounts',
    accountsOf: (used, limit) => `${used} of ${limit}`,
    accountsText: 'Accounts beyond the limit are paused, the newest first; a larger plan wakes them at once.',
    history: 'Orders stay for',
    historyDays: days => `${days} days`,
    historyText: 'After that they are in the monthly archives of the Orders screen.',
    upgrade: 'Change the plan',
    months: 'Collections by month',
    month: 'Month',
    emptyTitle: 'No collections yet',
    emptyText: 'The first paid order begins this list.',
  },
  hi: {
    title: 'प्लान और उपयोग',
    plan: 'आपका प्लान',
    thisMonth: 'इस महीने',
    collected: 'वसूली',
    limit: 'महीने की सीमा',
    noLimit: 'कोई सीमा नहीं',
    used: percent => `${percent}% इस्तेमाल हुआ`,
    monthText:
      'महीना भारत का कैलेंडर महीना है। सीमा पर नए ऑर्डर plan_limit_reached से नकारे जाते हैं; खुले ऑर्डर चुकाए जा सकते हैं।',
    accounts: 'UPI खाते',
    accountsOf: (used, limit) => `${limit} में से ${used}`,
    accountsText: 'सीमा से ऊपर के खाते रुक जाते हैं, सबसे नए पहले; बड़ा प्लान उन्हें तुरंत चालू करता है।',
    history: 'ऑर्डर कितने दिन रहते हैं',
    historyDays: days => `${days} दिन`,
    historyText: 'उसके बाद वे ऑर्डर पेज के मासिक रिकॉर्ड में मिलते हैं।',
    upgrade: 'प्लान बदलें',
    months: 'महीनेवार वसूली',
    month: 'महीना',
    emptyTitle: 'अभी कोई वसूली नहीं',
    emptyText: 'पहले चुके ऑर्डर से यह सूची शुरू होगी।',
  },
};

export const planRoutes: readonly DashboardRoute[] = [
  { method: 'GET', path: '/dashboard/plan', permission: 'business.read', handle: showPlan },
];

async function showPlan(world: World, visit: Visit): Promise<Answer> {
  const { texts, merchantId, now } = visit;
  const words = inLanguage(texts, planTexts);
  const usage = await selectPlanUsage(world.sql, merchantId, now);
  if (!usage) return notFound();
  const months = await selectMonths(world.sql, merchantId);
  const columns = [
    { title: words.month, cell: (month: MonthFigure) => month.month },
    { title: words.collected, cell: (month: MonthFigure) => rupees(month.collected_paise), number: true },
  ];
  const body = html`${pageHead(words.title)}
${usageCard(words, usage)}
${card(
  months.length === 0
    ? emptyState(words.emptyTitle, words.emptyText)
    : table({ caption: words.months, columns, rows: months }),
  { title: words.months },
)}`;
  return page({ title: words.title, body });
}

function usageCard(words: PlanTexts, usage: PlanUsage): Html {
  const { monthly_limit_paise: limit, account_limit: accounts, history_days: days } = usage;
  const percent = limit === null ? 0 : Math.min(100, Math.floor((usage.collected_paise / limit) * 100));
  return card(
    html`${facts([
      [words.plan, usage.plan],
      [
        words.thisMonth,
        html`<strong>${rupees(usage.collected_paise)}</strong>${limit !== null && html`<br><meter min="0" max="100" high="80" value="${percent}" aria-label="${words.thisMonth}">${percent}%</meter> ${words.used(percent)}`}`,
      ],
      [
        words.limit,
        limit === null
          ? words.noLimit
          : html`${rupees(limit)}<br><span class="quiet">${words.monthText}</span>`,
      ],
      [
        words.accounts,
        accounts === null
          ? `${usage.accounts}, ${words.noLimit}`
          : html`${words.accountsOf(usage.accounts, accounts)}<br><span class="quiet">${words.accountsText}</span>`,
      ],
      [
        words.history,
        days === null
          ? words.noLimit
          : html`${words.historyDays(days)}<br><span class="quiet">${words.historyText}</span>`,
      ],
    ])}
${usage.upgrade_url !== null && html`<div class="actions">${linkButton(usage.upgrade_url, words.upgrade)}</div>`}`,
  );
}
