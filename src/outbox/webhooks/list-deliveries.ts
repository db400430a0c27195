import type { World } from '../../base/world.ts';
import { type DeliveryFilter, type DeliveryRow, selectDeliveries } from './queries/read.ts';

export type DeliveryPage = { deliveries: DeliveryRow[]; before: number | null };

const pageSize = 50;

/** Every attempt of a business, newest first; `before` of one page asks for the next. */
export async function listDeliveries(
  { sql, clock }: Pick<World, 'sql' | 'clock'>,
  merchantId: number,
  { before = null, ...filter }: Partial<Omit<DeliveryFilter, 'now' | 'limit'>> = {},
): Promise<DeliveryPage> {
  const asked = { ...filter, now: clock.now(), before, limit: pageSize + 1 };
  const rows = await selectDeliveries(sql, merchantId, asked);
  const deliveries = rows.slice(0, pageSize);
  return { deliveries, before: rows.length > pageSize ? (deliveries.at(-1)?.delivery_id ?? null) : null };
}
