import { later } from '../../base/clock.ts';
import type { Transaction } from '../../base/database/connect.ts';
import { randomBase62 } from '../../base/random.ts';
import type { World } from '../../base/world.ts';
import { type Doer, recordDeed } from '../../business/accounts/record-deed.ts';
import { because } from '../../texts/verdicts.ts';
import { erasureBinding } from './erasure.ts';
import { watchFor } from './keep-list.ts';
import { countOpen, insertErasure } from './queries/erasures.ts';

/** Each is looked after for days, and every look goes through the whole business. One request can name ten values. */
const mostOpen = 20;

/** An owner wants a person's traces gone; the worker sees to it. The audit log says that, and not whose. Null where too many are open. */
export async function askErasure(
  tx: Transaction,
  { secrets }: Pick<World, 'secrets'>,
  doer: Doer,
  values: readonly string[],
): Promise<string | null> {
  const { merchantId, actor, now } = doer;
  if ((await countOpen(tx, merchantId)) >= mostOpen) return null;
  const erasureId = `er_${randomBase62(16)}`;
  await insertErasure(tx, {
    merchant_id: merchantId,
    erasure_id: erasureId,
    asked_at: now,
    asked_by: actor,
    marks: [],
    sealed: secrets.seal(JSON.stringify(values), erasureBinding(merchantId, erasureId)),
    watch_until: later(now, watchFor),
    next_at: now,
  });
  await recordDeed(tx, doer, {
    action: 'person.erase',
    subject: erasureId,
    notice: because('person_erased', { erasure: erasureId }),
  });
  return erasureId;
}
