import { type Html, html } from '../../base/http/html.ts';
import type { World } from '../../base/world.ts';
import { listNotices, type Notice } from '../../outbox/notices/queries.ts';
import { noticePath } from '../../outbox/topics.ts';
import type { Texts } from '../../texts/languages.ts';
import { sayNotice } from '../../texts/say.ts';
import { sayClock } from '../../texts/say-time.ts';
import { plainLink, postButton } from '../frame/controls.ts';
import { indianDay } from '../frame/indian-days.ts';
import { pagination, screen } from '../frame/parts.ts';
import { type Answer, get, lead, type Visit } from '../frame/route.ts';
import { dayHeading, type ListRow, rowList, state } from '../frame/rows.ts';
import { withQuery } from '../frame/with-query.ts';
import { dayName } from '../payments/payment-rows.ts';
import { findToDo, isPressing, subjectOf, type ToDo } from './find-to-do.ts';

const allPath = '/dashboard/to-do';

export const toDoRoutes = [get(allPath, 'business.read', showAll), lead('/dashboard/notices', allPath)];

const mostOnHome = 3;

/** Home's list. The steps of a new shop show what is not set up yet, so it is left out there. */
export function toDoList(visit: Visit, found: readonly ToDo[]): Html {
  const words = visit.texts.toDo;
  const shown = mayAct(visit, found);
  const count = shown.length > mostOnHome ? ` (${shown.length})` : '';
  return html`<section id="to-do" class="sentences"><div class="heading"><h2>${words.title}</h2><a class="link" href="${allPath}">${visit.texts.payments.views.all}${count}</a></div>
${shown.length === 0 ? html`<p class="quiet">${words.nothing}</p>` : rowList(shown.slice(0, mostOnHome).map(rowOf))}</section>`;
}

function mayAct(visit: Visit, found: readonly ToDo[]): ToDo[] {
  return found.filter(({ kind }) => !['check', 'limit'].includes(kind) || visit.may('orders.export'));
}

function rowOf(one: ToDo): ListRow {
  return { ...one, face: { icon: one.icon, tone: isPressing(one) ? 'ask' : 'still' } };
}

const numberForm = /^\d{1,15}$/;

async function showAll(world: World, visit: Visit): Promise<Answer> {
  const { texts, merchantId, query, may } = visit;
  const words = texts.toDo;
  const asked = query.text('before');
  const before = numberForm.test(asked) ? Number(asked) : null;
  const [found, list] = await Promise.all([
    before === null ? findToDo(world, merchantId, texts) : [],
    listNotices(world, merchantId, { before }),
  ]);
  const shown = mayAct(visit, found);
  const links = {
    newer: before === null ? null : allPath,
    older: list.before === null ? null : withQuery(allPath, { before: list.before }),
  };
  const newest = list.notices.find(one => one.seen_at === null);
  const markButton =
    newest &&
    may('business.change') &&
    postButton('/dashboard/notices/seen', texts.notices.markAll, {
      values: { up_to: String(newest.notice_id), next: allPath },
    });
  return screen(words.title, { back: { href: '/dashboard', text: texts.shell.navigation.home } })`
${before === null && (shown.length === 0 ? html`<p class="quiet">${words.nothing}</p>` : html`<div class="wrapped">${rowList(shown.map(rowOf))}</div>`)}
<section id="earlier"><div class="heading"><h2>${words.earlier}</h2>${markButton}</div>
<p class="small quiet">${words.earlierText}</p>
${list.notices.length === 0 ? html`<p class="quiet">${texts.notices.emptyText}</p>` : noticeDays(visit, list.notices)}</section>
${pagination(texts, links)}`;
}

function noticeDays(visit: Visit, notices: readonly Notice[]): Html {
  const days = Map.groupBy(notices, one => indianDay(one.created_at));
  return html`${[...days].map(([day, ofDay]) => html`${dayHeading(dayName(visit, day))}<ul class="notices">${ofDay.map(one => html`<li>${noticeItem(visit.texts, one)}</li>`)}</ul>`)}`;
}

function noticeItem(texts: Texts, one: Notice): Html {
  const words = texts.notices;
  const said = sayNotice(texts.tag, one);
  return html`<details><summary><span>${subjectOf(texts, one)}</span><span class="small quiet">${sayClock(texts.tag, one.created_at)}${one.seen_at === null && html` ${state(words.isNew, 'warn')}`}</span></summary>
<p class="prewrap">${said?.text ?? words.unknownText}</p>${noticeLink(texts, one)}</details>`;
}

const aboutPayments = ['money_unmatched', 'order_waits', 'link_oversold', 'statement_missing'];

function noticeLink({ notices, home, shell }: Texts, one: Notice): Html | null {
  const link = (path: string, text: string) => html`<p>${plainLink(path, text)}</p>`;
  const path = noticePath(one);
  if (path !== null) return link(path, one.kind === 'alert_held' ? notices.toAlert : home.openPlan);
  const view = one.kind === 'history_shorter' ? 'orders' : aboutPayments.includes(one.kind) ? 'decide' : null;
  return view && link(`/dashboard/payments?view=${view}`, shell.navigation.payments);
}
