import { bankNames } from '../../alerts/banks/bank-support.ts';
import { isReadingDoubt } from '../../alerts/reading/offer-figures.ts';
import { type Html, html } from '../../base/http/html.ts';
import type { World } from '../../base/world.ts';
import { readCursor, writeCursor } from '../../orders/list-orders.ts';
import { sayReason } from '../../texts/say.ts';
import { type Tab, tabs } from '../frame/choosing.ts';
import { plainLink } from '../frame/controls.ts';
import { icon } from '../frame/icon.ts';
import { emptyState, moment, orderLink, pagination, rupees, screen, verdictBadge } from '../frame/parts.ts';
import type { Answer, Visit } from '../frame/route.ts';
import { withQuery } from '../frame/with-query.ts';
import { moneyPath } from './credit-words.ts';
import { evidence } from './evidence.ts';
import {
  countRefused,
  mostRefusedCounted,
  type RefusedCount,
  type RefusedMail,
  type RefusedVerdict,
  refusedVerdicts,
  selectRefusedMails,
} from './queries/refused.ts';

const perPage = 20;

const path = '/dashboard/payments/not-counted';

/** Mails that confirmed nothing, and why. None of them can be attached to an order here. */
export async function refusedMails(world: World, visit: Visit): Promise<Answer> {
  const { texts, merchantId, now, query } = visit;
  const words = texts.alerts;
  const verdict = refusedVerdicts.find(one => one === query.text('verdict')) ?? null;
  const after = readCursor(world.secrets, merchantId, query.text('after'));
  const [rows, counts] = await Promise.all([
    selectRefusedMails(world.sql, merchantId, { verdict, after, limit: perPage + 1, now }),
    countRefused(world.sql, merchantId, now),
  ]);
  const alerts = rows.slice(0, perPage);
  const last = rows.length > perPage ? alerts.at(-1) : undefined;
  const next = last ? { createdAt: last.arrived_at, orderId: last.alert_id } : null;
  const links = {
    newer: after === null ? null : withQuery(path, { verdict }),
    older: next && withQuery(path, { verdict, after: writeCursor(world.secrets, merchantId, next) }),
  };
  const bankName = bankNames(world);
  const back = { href: '/dashboard/payments', text: texts.payments.views.place };
  return screen(texts.payments.notCounted, { text: words.text, back })`
${counts.length > 0 && verdictTabs(visit, verdict, counts)}
${alerts.length === 0 && links.newer === null ? nothing(visit, verdict) : alerts.map(alert => mailFold(visit, alert, bankName))}
${pagination(texts, links)}`;
}

type Chosen = RefusedVerdict | null;

function verdictTabs({ texts }: Visit, chosen: Chosen, counts: readonly RefusedCount[]): Html {
  const all = counts.reduce((sum, { count }) => sum + count, 0);
  const more = all === mostRefusedCounted ? '+' : '';
  const tab = (verdict: Chosen, name: string, number: number): Tab => ({
    href: withQuery(path, { verdict }),
    text: `${name} ${number}${more}`,
    current: verdict === chosen,
  });
  const countOf = (verdict: RefusedVerdict) => counts.find(one => one.verdict === verdict)?.count ?? 0;
  const shown = refusedVerdicts.filter(verdict => countOf(verdict) > 0 || verdict === chosen);
  return tabs(texts.alerts.filter, [
    tab(null, texts.labels.all, all),
    ...shown.map(verdict => tab(verdict, texts.verdicts[verdict][0], countOf(verdict))),
  ]);
}

function nothing({ texts }: Visit, chosen: Chosen): Html {
  const { emptyTitle, emptyText, noneTitle, noneText } = texts.alerts;
  const mailbox = plainLink('/dashboard/mailbox', texts.labels.seeMailbox);
  return chosen === null
    ? emptyState(emptyTitle, emptyText, mailbox, 'mail')
    : emptyState(noneTitle, noneText, plainLink(path, texts.labels.all), 'mail');
}

/** Each is one line until somebody opens it. One that its owner may read themselves is open. */
function mailFold({ texts }: Visit, alert: RefusedMail, bankName: (id: string) => string): Html {
  const words = texts.alerts;
  return html`<details class="fold" id="${alert.alert_id}"${canBeRead(alert) && html` open`}><summary><span class="mail-line"><b>${alert.amount_paise === null ? (alert.bank ? bankName(alert.bank) : '–') : rupees(alert.amount_paise)}</b> ${verdictBadge(texts, alert.verdict)}<span class="small quiet">${moment(alert.arrived_at)}</span></span>${icon('down', true)}</summary>
<p>${texts.verdicts[alert.verdict][1]}</p>
${alert.reason !== null && html`<p class="quiet">${words.why}: ${sayReason(texts.tag, alert.reason)}</p>`}
${alert.verdict === 'retrying' && alert.next_try_at && html`<p class="quiet">${words.nextTry}: ${moment(alert.next_try_at)}</p>`}
${alert.order_id !== null && html`<p>${words.order}: ${orderLink(alert.order_id)}</p>`}
${canBeRead(alert) && html`<p>${plainLink(`${moneyPath}/held/${alert.alert_id}`, texts.heldMail.open)}</p>`}
${evidence(texts, alert, bankName)}
</details>`;
}

/** Held because its reading is in doubt. Its own page says whether anything can be chosen. */
function canBeRead({ verdict, reason, recipient }: RefusedMail): boolean {
  return verdict === 'unreadable' && recipient !== null && reason !== null && isReadingDoubt(reason.code);
}
