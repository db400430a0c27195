import type { SecretBox } from '../base/secrets.ts';
import { readCursor } from './list-cursor.ts';
import { type OrderStatus, orderStatuses } from './order.ts';
import type { ListFilter } from './queries.ts';
import { readMerchantOrderId, tooLongId } from './read-merchant-order-id.ts';

export const mostPerPage = 100;
export const defaultPerPage = 20;

/** §4.3: the details texts, to the letter. */
const details = {
  limit: `limit must be a whole number from 1 to ${mostPerPage}`,
  status: `status must be one of ${orderStatuses.join(', ')}`,
  merchantOrderId: tooLongId,
  cursor: 'cursor is not valid; pass next_cursor from the previous page',
} as const;

/** §4.3. A parameter that is given twice arrives as an array, which no rule allows. */
export function readListQuery(
  secrets: SecretBox,
  merchantId: number,
  query: Record<string, unknown>,
): { filter: ListFilter } | { details: string } {
  const limit = query['limit'] ?? String(defaultPerPage);
  if (typeof limit !== 'string' || !/^[1-9]\d{0,2}$/.test(limit) || Number(limit) > mostPerPage)
    return { details: details.limit };

  const status = query['status'] ?? null;
  if (status !== null && !orderStatuses.includes(status as OrderStatus)) return { details: details.status };

  const asked = query['merchant_order_id'] ?? null;
  const id = asked === null ? null : readMerchantOrderId(asked);
  if (Array.isArray(asked) || (id !== null && 'problem' in id && id.problem === tooLongId))
    return { details: details.merchantOrderId };
  const cursor = query['cursor'] ?? null;
  const after = typeof cursor === 'string' ? readCursor(secrets, merchantId, cursor) : null;
  if (cursor !== null && after === null) return { details: details.cursor };

  return {
    filter: {
      limit: Number(limit),
      status: status as OrderStatus | null,
      // An id that cannot be stored is no order's; the database must not see it.
      merchantOrderId: id === null ? null : 'value' in id ? id.value : '',
      after,
    },
  };
}
