import type { World } from '../../base/world.ts';
import type { Visit } from '../frame/route.ts';
import { selectNamed } from '../orders/queries.ts';
import { noFilter, readOrderFilter } from '../orders/read-order-filter.ts';

const mostFound = 10;

/** By whatever the person has at hand: an id, or the rupees. Null where nothing was asked. */
export async function searchUnpaid({ sql }: World, { merchantId, query, now }: Visit) {
  const asked = query.text('q');
  if (asked === '') return null;
  const { search } = readOrderFilter({ q: asked }).filter;
  if (search === null) return [];
  const found = await selectNamed(sql, merchantId, { ...noFilter, search }, { limit: mostFound, now });
  return found.filter(order => order.status !== 'paid');
}
