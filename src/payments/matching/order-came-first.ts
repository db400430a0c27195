import type { Queryable } from '../../base/database/connect.ts';

/** R14: whether order `o` was there before alert `e`. */
export function orderCameFirst(sql: Queryable) {
  return sql`came_first(o.arrival_epoch, o.arrival_number, o.created_at, e.arrival_epoch, e.arrival_number, e.arrived_at)`;
}
