import type { Queryable } from '../../base/database/connect.ts';
import { arrivalTolerance } from '../../base/time-windows.ts';

/**
 * R14: whether order `o` was there before alert `e`, by the numbers that both drew from one sequence when they were
 * inserted. That suffices, though neither draws and commits at once: nobody learns an order's amount before its commit,
 * which is after it drew; so the mail of whoever paid it is stored, and draws, later still. And a mail that drew before
 * the order drew was here before anybody could know the amount. Clocks have no say. Rows of before the numbers are
 * earlier than all that have one; among themselves their times decide, as they did then.
 */
export function orderCameFirst(sql: Queryable) {
  return sql`case
    when o.arrival_number is not null and e.arrival_number is not null
      then (o.arrival_epoch, o.arrival_number) < (e.arrival_epoch, e.arrival_number)
    when o.arrival_number is null and e.arrival_number is null
      then e.arrived_at >= o.created_at - ${`${arrivalTolerance} milliseconds`}::interval
    else o.arrival_number is null end`;
}
