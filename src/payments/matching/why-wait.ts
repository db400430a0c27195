import type { Transaction } from '../../base/database/connect.ts';
import { because, type Reason } from '../../texts/verdicts.ts';
import type { Credit } from './credit.ts';
import type { Holder } from './queries/payments.ts';

/**
 * The gates of row 3: why an exact credit in time does not pay its order by itself and waits for a person; null when it
 * pays. Each gate that is asked elsewhere is one line here.
 */
export async function whyWait(_tx: Transaction, _credit: Credit, holder: Holder): Promise<Reason | null> {
  const order = holder.order_id;
  if (holder.of_earlier_day) return because('earlier_day', { order });
  if (holder.is_stale) return because('not_fresh', { order });
  return null;
}
