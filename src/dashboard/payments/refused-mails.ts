import { bankNames } from '../../alerts/banks/bank-support.ts';
import { isReadingDoubt } from '../../alerts/reading/offer-figures.ts';
import { type Html, html } from '../../base/http/html.ts';
import type { World } from '../../base/world.ts';
import { readCursor, writeCursor } from '../../orders/list-orders.ts';
import { sayReason } from '../../texts/say.ts';
import { tabs } from '../frame/choosing.ts';
import { plainLink } from '../frame/controls.ts';
import { icon } from '../frame/icon.ts';
import { emptyState, moment, orderLink, pagination, screen } from '../frame/parts.ts';
import type { Answer, Visit } from '../frame/route.ts';
import { money } from '../frame/rows.ts';
import { withQuery } from '../frame/with-query.ts';
import { moneyPath } from './credit-words.ts';
import { evidence } from './evidence.ts';
import { type RefusedMail, selectRefusedMails } from './queries/refused.ts';

const perPage = 20;

export const notCountedPath = '/dashboard/payments/not-counted';
export const doubtfulPath = `${notCountedPath}?only=doubtful`;

/** Mails that confirmed nothing, and why. None of them can be attached to an order here. */
export async function refusedMails(world: World, visit: Visit): Promise<Answer> {
  const { texts, merchantId, now, query } = visit;
  const words = texts.alerts;
  const onlyDoubtful = query.text('only') === 'doubtful';
  const after = readCursor(world.secrets, merchantId, query.text('after'));
  const rows = await selectRefusedMails(world.sql, merchantId, {
    onlyDoubtful,
    after,
    limit: perPage + 1,
    now,
  });
  const alerts = rows.slice(0, perPage);
  const last = rows.length > perPage ? alerts.at(-1) : undefined;
  const next = last ? { createdAt: last.arrived_at, orderId: last.alert_id } : null;
  const links = {
    newer: after === null ? null : onlyDoubtful ? doubtfulPath : notCountedPath,
    older:
      next &&
      withQuery(notCountedPath, {
        only: onlyDoubtful && 'doubtful',
        after: writeCursor(world.secrets, merchantId, next),
      }),
  };
  const bankName = bankNames(world);
  const back = { href: '/dashboard/payments', text: texts.payments.views.place };
  return screen(texts.payments.notCounted, { text: words.text, back })`
${tabs(words.filter, [
  { href: notCountedPath, text: texts.labels.all, current: !onlyDoubtful },
  { href: doubtfulPath, text: words.doubtful, current: onlyDoubtful },
])}
${alerts.length === 0 && links.newer === null ? nothing(visit, onlyDoubtful) : html`<ul class="rows attempts">${alerts.map(alert => html`<li>${mailFold(visit, alert, bankName)}</li>`)}</ul>`}
${pagination(texts, links)}`;
}

function nothing({ texts }: Visit, onlyDoubtful: boolean): Html {
  const { emptyTitle, emptyText, noneTitle, noneText } = texts.alerts;
  return onlyDoubtful
    ? emptyState(noneTitle, noneText, undefined, 'mail')
    : emptyState(emptyTitle, emptyText, plainLink('/dashboard/mailbox', texts.labels.seeMailbox), 'mail');
}

/** Each is one line until somebody opens it. One that its owner may read themselves is open. */
function mailFold({ texts }: Visit, alert: RefusedMail, bankName: (id: string) => string): Html {
  const words = texts.alerts;
  const [verdict, meaning] = texts.verdicts[alert.verdict];
  return html`<details id="${alert.alert_id}"${canBeRead(alert) && html` open`}><summary class="row faceless"><span class="who">${verdict}</span><span class="sum">${alert.amount_paise === null ? alert.bank && bankName(alert.bank) : money(alert.amount_paise)} ${icon('down', true)}</span><span class="what">${moment(alert.arrived_at)}</span></summary>
<div class="stack"><p>${meaning}</p>
${alert.reason !== null && html`<p class="quiet">${words.why}: ${sayReason(texts.tag, alert.reason)}</p>`}
${alert.verdict === 'retrying' && alert.next_try_at && html`<p class="quiet">${words.nextTry}: ${moment(alert.next_try_at)}</p>`}
${alert.order_id !== null && html`<p>${words.order}: ${orderLink(alert.order_id)}</p>`}
${canBeRead(alert) && html`<p>${plainLink(`${moneyPath}/held/${alert.alert_id}`, texts.heldMail.open)}</p>`}
${evidence(texts, alert, bankName)}</div></details>`;
}

/** Held because its reading is in doubt. Its own page says whether anything can be chosen. */
function canBeRead({ verdict, reason, recipient }: RefusedMail): boolean {
  return verdict === 'unreadable' && recipient !== null && reason !== null && isReadingDoubt(reason.code);
}
