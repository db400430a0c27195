import { bankNames } from '../../alerts/banks/bank-support.ts';
import { isReadingDoubt } from '../../alerts/reading/offer-figures.ts';
import { type Html, html } from '../../base/http/html.ts';
import type { World } from '../../base/world.ts';
import { textsIn } from '../../texts/languages.ts';
import { sayCode, sayReason } from '../../texts/say.ts';
import type { ReasonCode } from '../../texts/verdicts.ts';
import { plainLink, selectField } from '../frame/controls.ts';
import { card, emptyState, moment, orderLink, pagination, rupees, verdictBadge } from '../frame/parts.ts';
import { type Answer, page, type Visit } from '../frame/route.ts';
import { withQuery } from '../frame/with-query.ts';
import { evidence } from '../orders/evidence.ts';
import { moneyHead, moneyPath, onePage, readPosition } from './money-head.ts';
import {
  countRefused,
  mostRefusedCounted,
  type RefusedCount,
  type RefusedFilter,
  type RefusedMail,
  type RefusedVerdict,
  refusedVerdicts,
  selectRefusedMails,
} from './queries/refused.ts';

const perPage = 20;
const reasonCodes = Object.keys(textsIn('en').reasons) as ReasonCode[];

const path = `${moneyPath}/refused`;

/** Mails that confirmed nothing, and why. None of them can be attached to an order here. */
export async function refusedMails(world: World, visit: Visit): Promise<Answer> {
  const { texts, merchantId, now, query } = visit;
  const words = texts.alerts;
  const filter: RefusedFilter = {
    verdict: refusedVerdicts.find(one => one === query.text('verdict')) ?? null,
    reason: reasonCodes.find(one => one === query.text('reason')) ?? null,
  };
  const after = readPosition(query.text('after'));
  const [rows, counts] = await Promise.all([
    selectRefusedMails(world.sql, merchantId, { ...filter, after, limit: perPage + 1, now }),
    countRefused(world.sql, merchantId, now),
  ]);
  const { shown: alerts, links } = onePage(visit, path, rows, perPage, row => row.arrived_at, filter);
  const bankName = bankNames(world);
  const body = html`${moneyHead(visit, 'refused', words.text)}
${counts.length > 0 && html`${verdictTabs(visit, filter, counts)}${reasonForm(visit, filter, counts)}`}
${alerts.length === 0 && links.newer === null ? nothing(visit, filter) : alerts.map(alert => mailCard(visit, alert, bankName))}
${pagination(texts, links)}`;
  return page({ title: words.title, body });
}

function verdictTabs({ texts }: Visit, current: RefusedFilter, counts: readonly RefusedCount[]): Html {
  const total = (of: readonly RefusedCount[]) => of.reduce((sum, one) => sum + one.count, 0);
  const more = total(counts) === mostRefusedCounted ? '+' : '';
  const count = (verdict: RefusedVerdict) => total(counts.filter(one => one.verdict === verdict));
  const link = (verdict: RefusedVerdict | null, name: string, number: number) =>
    html`<li><a href="${withQuery(path, { verdict })}"${verdict === current.verdict && html` aria-current="true"`}>${name} <span class="quiet">${number}${more}</span></a></li>`;
  return html`<nav class="tabs" aria-label="${texts.alerts.filter}"><ul>${link(null, texts.labels.all, total(counts))}${refusedVerdicts
    .filter(verdict => count(verdict) > 0 || verdict === current.verdict)
    .map(verdict => link(verdict, texts.verdicts[verdict][0], count(verdict)))}</ul></nav>`;
}

/** The form is shown only if there are several reasons to choose from. */
function reasonForm({ texts }: Visit, { verdict, reason }: RefusedFilter, counts: readonly RefusedCount[]) {
  const reasons = new Map<ReasonCode, number>();
  for (const one of counts)
    if (one.reason !== null && (verdict === null || one.verdict === verdict))
      reasons.set(one.reason, (reasons.get(one.reason) ?? 0) + one.count);
  if (reasons.size < 2 && reason === null) return null;
  const choices = [...reasons]
    .sort(([, a], [, b]) => b - a)
    .map(([code, count]) => ({ value: code, text: `${sayCode(texts.tag, code)} (${count})` }));
  return html`<form method="get" action="${path}" class="stack">
${verdict !== null && html`<input type="hidden" name="verdict" value="${verdict}">`}
${selectField('reason', texts.alerts.why, { value: reason ?? '', choices: [{ value: '', text: texts.labels.all }, ...choices] })}
<div class="actions"><button class="button plain">${texts.labels.show}</button></div></form>`;
}

function nothing({ texts }: Visit, { verdict, reason }: RefusedFilter): Html {
  const words = texts.alerts;
  return card(
    verdict === null && reason === null
      ? emptyState(
          words.emptyTitle,
          words.emptyText,
          plainLink('/dashboard/mailbox', texts.labels.seeMailbox),
        )
      : emptyState(words.noneTitle, words.noneText, plainLink(path, texts.labels.all)),
  );
}

function mailCard({ texts }: Visit, alert: RefusedMail, bankName: (id: string) => string): Html {
  const words = texts.alerts;
  return html`<article class="card" id="${alert.alert_id}">
<div class="card-head"><h2>${alert.amount_paise === null ? (alert.bank ? bankName(alert.bank) : '–') : rupees(alert.amount_paise)} ${verdictBadge(texts, alert.verdict)}</h2>${moment(alert.arrived_at)}</div>
<p>${texts.verdicts[alert.verdict][1]}</p>
${alert.reason !== null && html`<p class="quiet">${words.why}: ${sayReason(texts.tag, alert.reason)}</p>`}
${alert.verdict === 'retrying' && alert.next_try_at && html`<p class="quiet">${words.nextTry}: ${moment(alert.next_try_at)}</p>`}
${alert.order_id !== null && html`<p>${words.order}: ${orderLink(alert.order_id)}</p>`}
${canBeRead(alert) && html`<p>${plainLink(`${moneyPath}/held/${alert.alert_id}`, texts.heldMail.open)}</p>`}
<details><summary>${words.details}</summary>${evidence(texts, alert, bankName)}</details>
</article>`;
}

/** Held because its reading is in doubt. Its own page says whether anything can be chosen. */
function canBeRead({ verdict, reason, recipient }: RefusedMail): boolean {
  return verdict === 'unreadable' && recipient !== null && reason !== null && isReadingDoubt(reason.code);
}
