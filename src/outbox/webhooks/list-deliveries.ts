import type { World } from '../../base/world.ts';
import { type DeliveryRow, selectDeliveries } from './queries/read.ts';

export type DeliveryPage = { deliveries: DeliveryRow[]; before: number | null };

export type ListedDeliveries = {
  before?: number | null;
  eventId?: string;
  orderId?: string;
  onlyFailed?: boolean;
};

const pageSize = 50;

/** Every attempt of a business, newest first; `before` of one page asks for the next. */
export async function listDeliveries(
  { sql }: Pick<World, 'sql'>,
  merchantId: number,
  { before = null, ...filter }: ListedDeliveries = {},
): Promise<DeliveryPage> {
  const rows = await selectDeliveries(sql, merchantId, { ...filter, before, limit: pageSize + 1 });
  const deliveries = rows.slice(0, pageSize);
  return { deliveries, before: rows.length > pageSize ? (deliveries.at(-1)?.delivery_id ?? null) : null };
}
