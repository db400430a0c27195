import type { Transaction } from '../../base/database/connect.ts';
import { html } from '../../base/http/html.ts';
import type { World } from '../../base/world.ts';
import { listNotices, markNoticeSeen, markNoticesSeen } from '../../outbox/notices/queries.ts';
import { markAllButton, noticeList } from '../frame/notice-list.ts';
import { card, emptyState, pagination, screen } from '../frame/parts.ts';
import { makeChange } from '../frame/record-change.ts';
import { type Answer, get, nextPath, notFound, post, redirect, type Visit } from '../frame/route.ts';
import { withQuery } from '../frame/with-query.ts';

const home = '/dashboard/notices';
const numberForm = /^\d{1,15}$/;

export const noticesRoutes = [
  get(home, 'business.read', showNotices),
  post(`${home}/seen`, 'business.change', markAll),
  post(`${home}/:notice_id/seen`, 'business.change', markOne),
];

async function showNotices(world: World, visit: Visit): Promise<Answer> {
  const { texts, merchantId, query } = visit;
  const words = texts.notices;
  const onlyUnseen = query.text('only') === 'new';
  const asked = query.text('before');
  const before = numberForm.test(asked) ? Number(asked) : null;
  const list = await listNotices(world, merchantId, { before, onlyUnseen });
  const { notices } = list;
  const address = (from: number | null) => withQuery(home, { only: onlyUnseen && 'new', before: from });
  const links = {
    newer: before === null ? null : address(null),
    older: list.before === null ? null : address(list.before),
  };
  const nothing = onlyUnseen
    ? emptyState(words.noneTitle, words.noneText)
    : emptyState(words.emptyTitle, words.emptyText);
  return screen(texts.shell.navigation.notices, {
    text: words.text,
    actions: markAllButton(visit, notices, visit.url) ?? html``,
  })`
${card(notices.length === 0 ? nothing : noticeList(visit, notices, visit.url))}
${pagination(texts, links)}`;
}

async function markOne(world: World, visit: Visit): Promise<Answer> {
  const id = visit.params['notice_id'] ?? '';
  if (!numberForm.test(id)) return notFound();
  const mark = (tx: Transaction) => markNoticeSeen(tx, visit.merchantId, Number(id), visit.now);
  const audited = { action: 'notice.seen', subject: id } as const;
  const outcome = await makeChange(world, visit, mark, marked => marked === 'seen' && audited);
  if (outcome === 'unknown') return notFound();
  return redirect(nextPath(visit.form, home), visit.texts.notices.markedOne);
}

async function markAll(world: World, visit: Visit): Promise<Answer> {
  const upTo = visit.form.text('up_to');
  if (!numberForm.test(upTo)) return redirect(home);
  const mark = (tx: Transaction) => markNoticesSeen(tx, visit.merchantId, Number(upTo), visit.now);
  const audited = { action: 'notice.seen', subject: `to ${upTo}` } as const;
  const count = await makeChange(
    world,
    visit,
    mark,
    seen => seen > 0 && { ...audited, details: String(seen) },
  );
  return redirect(nextPath(visit.form, home), visit.texts.notices.marked({ count }));
}
