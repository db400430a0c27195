import type { Queryable } from '../../base/database/connect.ts';
import { earlyWindow } from '../../base/time-windows.ts';

/** Whether a reference tells of one of the three days before that of its order, in India. */
export function namesEarlierDay(sql: Queryable, reference: unknown, createdAt: unknown) {
  return sql`names_earlier_day(${reference}, ${createdAt} - ${`${earlyWindow} milliseconds`}::interval)`;
}
