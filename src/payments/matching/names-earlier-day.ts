import type { Queryable } from '../../base/database/connect.ts';
import { earlyWindow } from '../../base/time-windows.ts';
import { countedReference } from './counted-reference.ts';

/**
 * Whether a reference tells of one of the three days before that of its order, in India: NPCI's begin with the last
 * digit of the year and the day of the year, some banks' with that day and 366 more. Any other digits say nothing.
 */
export function namesEarlierDay(sql: Queryable, reference: unknown, createdAt: unknown) {
  const counted = countedReference(sql, reference);
  return sql`coalesce(${counted} ~ '^[0-9]{12}$' and left(${counted}, 4) in (
    select to_char(before.day, 'Y') || to_char(extract(doy from before.day)::int + later, 'FM000')
    from (select ((${createdAt} - ${`${earlyWindow} milliseconds`}::interval) at time zone 'Asia/Kolkata')::date - n as day
      from generate_series(1, 3) n) as before cross join (values (0), (366)) as shifts (later)), false)`;
}
