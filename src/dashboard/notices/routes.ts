import type { Transaction } from '../../base/database/connect.ts';
import type { World } from '../../base/world.ts';
import { markNoticeSeen, markNoticesSeen } from '../../outbox/notices/queries.ts';
import { makeChange } from '../frame/record-change.ts';
import { type Answer, nextPath, notFound, post, redirect, type Visit } from '../frame/route.ts';

const list = '/dashboard/to-do';
const numberForm = /^\d{1,15}$/;

export const noticesRoutes = [
  post('/dashboard/notices/seen', 'business.change', markAll),
  // Only pages of the previous release have a button for one notice.
  post('/dashboard/notices/:notice_id/seen', 'business.change', markOne),
];

async function markOne(world: World, visit: Visit): Promise<Answer> {
  const id = visit.params['notice_id'] ?? '';
  if (!numberForm.test(id)) return notFound();
  const mark = (tx: Transaction) => markNoticeSeen(tx, visit.merchantId, Number(id), visit.now);
  const audited = { action: 'notice.seen', subject: id } as const;
  const outcome = await makeChange(world, visit, mark, marked => marked === 'seen' && audited);
  if (outcome === 'unknown') return notFound();
  return redirect(nextPath(visit.form, list), visit.texts.notices.markedOne);
}

/** Marks those that were on the page. A notice that comes later stays new. */
async function markAll(world: World, visit: Visit): Promise<Answer> {
  const upTo = visit.form.text('up_to');
  if (!numberForm.test(upTo)) return redirect(list);
  const mark = (tx: Transaction) => markNoticesSeen(tx, visit.merchantId, Number(upTo), visit.now);
  const audited = { action: 'notice.seen', subject: `to ${upTo}` } as const;
  const count = await makeChange(
    world,
    visit,
    mark,
    seen => seen > 0 && { ...audited, details: String(seen) },
  );
  return redirect(nextPath(visit.form, list), visit.texts.notices.marked({ count }));
}
