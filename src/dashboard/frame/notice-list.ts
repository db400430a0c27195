import { type Html, html } from '../../base/http/html.ts';
import type { Notice } from '../../outbox/notices/queries.ts';
import { noticePath } from '../../outbox/topics.ts';
import { sayNotice } from '../../texts/say.ts';
import { plainLink, postButton } from './controls.ts';
import { badge, moment, titledCard } from './parts.ts';
import type { Visit } from './route.ts';

const home = '/dashboard/notices';

/** `back` is the page to return to after a notice was marked. */
export function noticeList(visit: Visit, notices: readonly Notice[], back: string): Html {
  const { texts } = visit;
  const words = texts.notices;
  return html`<ul class="notices">${notices.map(one => {
    const unknown = { subject: words.unknown({ kind: one.kind.slice(0, 100) }), text: words.unknownText };
    const { subject, text } = sayNotice(texts.tag, one) ?? unknown;
    const path = noticePath(one);
    return html`<li class="notice">
<details><summary>${one.seen_at === null && html`${badge(words.isNew, 'warn')} `}${subject}<br><span class="quiet">${moment(one.created_at)}</span></summary>
<p class="prewrap">${text}</p>${path !== null && html`<p><a href="${path}">${one.kind === 'alert_held' ? words.toAlert : texts.home.openPlan}</a></p>`}${one.kind === 'history_shorter' && html`<p><a href="/dashboard/orders">${texts.shell.navigation.orders}</a></p>`}${(one.kind === 'money_unmatched' || one.kind === 'order_waits' || one.kind === 'link_oversold' || one.kind === 'statement_missing') && html`<p><a href="/dashboard/money">${texts.home.openMoney}</a></p>`}</details>
${one.seen_at === null && visit.may('business.change') && postButton(`${home}/${one.notice_id}/seen`, words.markSeen, { values: { next: back } })}
</li>`;
  })}</ul>`;
}

/** One button for all notices on the page. A notice that comes later stays new. */
export function markAllButton(visit: Visit, notices: readonly Notice[], back: string): Html | null {
  const newest = notices.find(one => one.seen_at === null);
  if (!newest || !visit.may('business.change')) return null;
  const { markAll } = visit.texts.notices;
  return postButton(`${home}/seen`, markAll, { values: { up_to: String(newest.notice_id), next: back } });
}

/** Unread notices, on the first page that a person opens. Empty if there are none. */
export function newNotices(visit: Visit, notices: readonly Notice[], count: number): Html | null {
  if (count === 0) return null;
  const words = visit.texts.notices;
  const back = '/dashboard';
  return titledCard({ title: words.unseenTitle({ count }), id: 'notices' })`
<p class="quiet">${words.unseenText}</p>${noticeList(visit, notices, back)}
<div class="actions">${markAllButton(visit, notices, back)}${plainLink(home, words.more)}</div>`;
}
