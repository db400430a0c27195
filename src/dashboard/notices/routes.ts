import type { World } from '../../base/world.ts';
import { markNoticeSeen } from '../../outbox/notices/queries.ts';
import { makeChange } from '../frame/record-change.ts';
import { type Answer, nextPath, notFound, post, redirect, type Visit } from '../frame/route.ts';
import { markSeen } from '../home/to-do.ts';

const list = '/dashboard/to-do';
const numberForm = /^\d{1,15}$/;

export const noticesRoutes = [
  // Only pages of the previous release have these buttons.
  post('/dashboard/notices/seen', 'business.change', markAll),
  post('/dashboard/notices/:notice_id/seen', 'business.change', markOne),
];

async function markOne(world: World, visit: Visit): Promise<Answer> {
  const id = visit.params['notice_id'] ?? '';
  if (!numberForm.test(id)) return notFound();
  const outcome = await makeChange(
    world,
    visit,
    tx => markNoticeSeen(tx, visit.merchantId, Number(id), visit.now),
    marked => marked === 'seen' && { action: 'notice.seen', subject: id },
  );
  return outcome === 'unknown' ? notFound() : redirect(nextPath(visit.form, list));
}

async function markAll(world: World, visit: Visit): Promise<Answer> {
  const upTo = visit.form.text('up_to');
  if (numberForm.test(upTo)) await markSeen(world, visit, Number(upTo));
  return redirect(nextPath(visit.form, list));
}
