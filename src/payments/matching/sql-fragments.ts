import type { Queryable } from '../../base/database/connect.ts';
import { earlyWindow } from '../../base/time-windows.ts';

/** A bank's reference in the form in which it counts once. `reference` is text, or a fragment that names a column. */
export function countedReference(sql: Queryable, reference: unknown) {
  return sql`counted_reference(${reference})`;
}

/** The same in the program. */
export function countedForm(reference: string): string {
  return reference.replace(/^0+(?=\d)/, '').padStart(12, '0');
}

/** Whether a reference names one of the three days before its order's day, in India. */
export function namesEarlierDay(sql: Queryable, reference: unknown, createdAt: unknown) {
  return sql`names_earlier_day(${reference}, ${createdAt} - ${`${earlyWindow} milliseconds`}::interval)`;
}

/** R14: whether order `o` existed before alert `e`. */
export function orderCameFirst(sql: Queryable) {
  return sql`came_first(o.arrival_epoch, o.arrival_number, o.created_at, e.arrival_epoch, e.arrival_number, e.arrived_at)`;
}
