import { timingSafeEqual } from 'node:crypto';
import { withDeadline } from '../base/database/with-deadline.ts';
import { ApiError } from '../base/http/api-error.ts';
import type { SecretBox } from '../base/secrets.ts';
import type { World } from '../base/world.ts';
import type { PresentedKey } from '../business/merchants/api-key.ts';
import { findCaller, refuseStranger } from '../business/merchants/find-caller.ts';
import type { Order } from './order.ts';
import { type ListFilter, selectPage } from './queries.ts';
import { readMerchantOrderId, tooLongId } from './read-create-body.ts';
import { type OrderStatus, orderStatuses } from './schemas.ts';

export type OrderPage = { orders: Order[]; hasMore: boolean; nextCursor: string | null };

/** §4.3. A disabled business is refused before the parameters are examined. */
export async function listOrders(
  { sql, clock, secrets }: Pick<World, 'sql' | 'clock' | 'secrets'>,
  key: PresentedKey,
  query: Record<string, unknown>,
): Promise<OrderPage> {
  const read = readListQuery(secrets, key.merchantId, query);
  if ('details' in read) {
    await findCaller({ sql }, key);
    throw new ApiError('invalid_request', { fields: { details: read.details } });
  }
  const rows = await withDeadline(selectPage(sql, key, read.filter, clock.now()));
  refuseStranger(rows[0]);
  const found = rows.filter((row): row is Extract<typeof row, Order> => row.order_id !== null);
  const orders = found.slice(0, read.filter.limit);
  const hasMore = found.length > orders.length;
  const last = orders.at(-1);
  return {
    orders,
    hasMore,
    nextCursor:
      hasMore && last
        ? writeCursor(secrets, key.merchantId, { createdAt: last.created_at, orderId: last.order_id })
        : null,
  };
}

export const mostPerPage = 100;
export const defaultPerPage = 20;

/** §4.3 prescribes these texts to the letter. */
const details = {
  limit: `limit must be a whole number from 1 to ${mostPerPage}`,
  status: `status must be one of ${orderStatuses.join(', ')}`,
  merchantOrderId: tooLongId,
  cursor: 'cursor is not valid; pass next_cursor from the previous page',
} as const;

/** §4.3. A repeated parameter arrives as an array, which every rule refuses. */
function readListQuery(
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
      // An id that cannot be stored belongs to no order, and must not reach the database.
      merchantOrderId: id === null ? null : 'value' in id ? id.value : '',
      after,
    },
  };
}

/** The end of a page. It is signed and bound to the merchant, so an edited or borrowed cursor is invalid (§4.3). */
export type ListPosition = { createdAt: Date; orderId: string };

const signatureBytes = 16;
const longestCursor = 200;

export function writeCursor(secrets: SecretBox, merchantId: number, { createdAt, orderId }: ListPosition) {
  const place = `${createdAt.getTime()}.${orderId}`;
  const signature = secrets.sign('list-cursor', `${merchantId}.${place}`).subarray(0, signatureBytes);
  return Buffer.concat([signature, Buffer.from(place)]).toString('base64url');
}

export function readCursor(secrets: SecretBox, merchantId: number, cursor: string): ListPosition | null {
  if (cursor.length > longestCursor || !/^[A-Za-z0-9_-]+$/.test(cursor)) return null;
  const bytes = Buffer.from(cursor, 'base64url');
  // A cursor has one spelling only. Decoding ignores some bits of the last character, so compare the whole text.
  if (bytes.length <= signatureBytes || bytes.toString('base64url') !== cursor) return null;
  const place = bytes.subarray(signatureBytes).toString('latin1');
  const given = bytes.subarray(0, signatureBytes);
  const genuine = secrets
    .signatures('list-cursor', `${merchantId}.${place}`)
    .some(signature => timingSafeEqual(signature.subarray(0, signatureBytes), given));
  const [, time, orderId] = /^(\d{1,15})\.(.+)$/.exec(place) ?? [];
  return genuine && time && orderId ? { createdAt: new Date(Number(time)), orderId } : null;
}
