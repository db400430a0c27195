import { type Html, html } from '../../../http/html.ts';
import { textsIn } from '../../../texts/languages.ts';
import { sayCode, sayReason } from '../../../texts/say.ts';
import type { ReasonCode } from '../../../verdicts.ts';
import type { World } from '../../../world.ts';
import { bankNames } from '../../bank-names.ts';
import { linkButton } from '../../components/button.ts';
import { card } from '../../components/card.ts';
import { emptyState } from '../../components/empty-state.ts';
import { selectField } from '../../components/field.ts';
import { moment } from '../../components/moment.ts';
import { pageHead } from '../../components/page-head.ts';
import { pagination } from '../../components/pagination.ts';
import {
  countUnpaid,
  type MoneyFilter,
  type MoneyPosition,
  selectUnpaidAlerts,
  type UnpaidAlert,
  type UnpaidCount,
  type UnpaidVerdict,
  unpaidVerdicts,
} from '../../queries/money.ts';
import { type Answer, type DashboardRoute, page, type Visit } from '../../route.ts';
import { evidence } from '../orders/evidence.ts';
import { rupees } from '../rupees.ts';
import { verdictBadge } from './verdict-badge.ts';

const perPage = 20;
const reasonCodes = Object.keys(textsIn('en').reasons) as ReasonCode[];

export const alertsRoutes: readonly DashboardRoute[] = [
  { method: 'GET', path: '/dashboard/alerts', permission: 'business.read', handle: showMoney },
];

async function showMoney(world: World, visit: Visit): Promise<Answer> {
  const { texts, merchantId, now, query } = visit;
  const words = texts.alerts;
  const filter: MoneyFilter = {
    verdict: unpaidVerdicts.find(one => one === query.text('verdict')) ?? null,
    reason: reasonCodes.find(one => one === query.text('reason')) ?? null,
  };
  const after = readPosition(query.text('after'));
  const [rows, counts] = await Promise.all([
    selectUnpaidAlerts(world.sql, merchantId, { ...filter, after, limit: perPage + 1, now }),
    countUnpaid(world.sql, merchantId, now),
  ]);
  const alerts = rows.slice(0, perPage);
  const last = alerts.at(-1);
  const older = rows.length > perPage && last ? address(filter, writePosition(last)) : null;
  const newer = after === null ? null : address(filter);
  const bankName = bankNames(world);
  const body = html`${pageHead(words.title, { text: words.text })}
${counts.length > 0 && html`${verdictTabs(visit, filter, counts)}${reasonForm(visit, filter, counts)}`}
${alerts.length === 0 && newer === null ? nothing(visit, filter) : alerts.map(alert => alertCard(visit, alert, bankName))}
${pagination(texts, { newer, older })}`;
  return page({ title: words.title, body });
}

function verdictTabs({ texts }: Visit, current: MoneyFilter, counts: readonly UnpaidCount[]): Html {
  const words = texts.alerts;
  const total = (of: readonly UnpaidCount[]) => of.reduce((sum, one) => sum + one.count, 0);
  const count = (verdict: UnpaidVerdict) => total(counts.filter(one => one.verdict === verdict));
  const link = (verdict: UnpaidVerdict | null, name: string, number: number) =>
    html`<li><a href="${address({ verdict, reason: null })}"${verdict === current.verdict && html` aria-current="true"`}>${name} <span class="quiet">${number}</span></a></li>`;
  return html`<nav class="tabs" aria-label="${words.filter}"><ul>${link(null, words.all, total(counts))}${unpaidVerdicts
    .filter(verdict => count(verdict) > 0 || verdict === current.verdict)
    .map(verdict => link(verdict, texts.verdicts[verdict][0], count(verdict)))}</ul></nav>`;
}

/** Nothing to choose from is no choice: the form stands only where there are several reasons. */
function reasonForm(
  { texts }: Visit,
  { verdict, reason }: MoneyFilter,
  counts: readonly UnpaidCount[],
): Html | null {
  const words = texts.alerts;
  const reasons = new Map<ReasonCode, number>();
  for (const one of counts)
    if (one.reason !== null && (verdict === null || one.verdict === verdict))
      reasons.set(one.reason, (reasons.get(one.reason) ?? 0) + one.count);
  if (reasons.size < 2 && reason === null) return null;
  const choices = [...reasons]
    .sort(([, a], [, b]) => b - a)
    .map(([code, count]) => ({ value: code, text: `${sayCode(texts.tag, code)} (${count})` }));
  return html`<form method="get" action="/dashboard/alerts" class="stack">
${verdict !== null && html`<input type="hidden" name="verdict" value="${verdict}">`}
${selectField({ name: 'reason', label: words.why, value: reason ?? '', choices: [{ value: '', text: words.all }, ...choices] })}
<div class="actions"><button class="button plain">${words.show}</button></div></form>`;
}

function nothing({ texts }: Visit, { verdict, reason }: MoneyFilter): Html {
  const words = texts.alerts;
  return card(
    verdict === null && reason === null
      ? emptyState(
          words.emptyTitle,
          words.emptyText,
          linkButton('/dashboard/mailbox', words.toMailbox, { plain: true }),
        )
      : emptyState(
          words.noneTitle,
          words.noneText,
          linkButton('/dashboard/alerts', words.all, { plain: true }),
        ),
  );
}

function alertCard({ texts }: Visit, alert: UnpaidAlert, bankName: (id: string) => string): Html {
  const words = texts.alerts;
  const near = alert.near_misses ?? [];
  return html`<article class="card" id="${alert.alert_id}">
<div class="card-head"><h2>${alert.amount_paise === null ? (alert.bank ? bankName(alert.bank) : '–') : rupees(alert.amount_paise)} ${verdictBadge(texts, alert.verdict)}</h2>${moment(alert.arrived_at)}</div>
<p>${texts.verdicts[alert.verdict][1]}</p>
${alert.reason !== null && html`<p class="quiet">${words.why}: ${sayReason(texts.tag, alert.reason)}</p>`}
${alert.verdict === 'retrying' && alert.next_try_at && html`<p class="quiet">${words.nextTry}: ${moment(alert.next_try_at)}</p>`}
${alert.order_id !== null && html`<p>${words.order}: <a class="id" href="/dashboard/orders/${alert.order_id}">${alert.order_id}</a></p>`}
${
  near.length > 0 &&
  html`<h3>${words.nearMisses}</h3><ul class="plain-list">${near.map(
    miss =>
      html`<li><a class="id" href="/dashboard/orders/${miss.order_id}">${miss.order_id}</a>, ${words.nearMiss(rupees(miss.payable_paise))}</li>`,
  )}</ul>`
}
<details><summary>${words.details}</summary>${evidence(texts, alert, bankName)}</details>
</article>`;
}

function address({ verdict, reason }: MoneyFilter, after: string | null = null): string {
  const query = new URLSearchParams();
  if (verdict !== null) query.set('verdict', verdict);
  if (reason !== null) query.set('reason', reason);
  if (after !== null) query.set('after', after);
  const text = query.toString();
  return `/dashboard/alerts${text === '' ? '' : `?${text}`}`;
}

/** A place in the list. It only narrows what this business may see anyway, so nobody gains by editing it. */
function writePosition({ arrived_at, alert_id }: UnpaidAlert): string {
  return `${arrived_at.getTime()}.${alert_id}`;
}

function readPosition(text: string): MoneyPosition | null {
  const [, time, alertId] = /^(\d{1,15})\.([A-Za-z0-9_]{1,80})$/.exec(text) ?? [];
  return time && alertId ? { arrivedAt: new Date(Number(time)), alertId } : null;
}
