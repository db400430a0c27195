import type { Queryable } from '../../base/database/connect.ts';

/**
 * A bank's reference in the form in which it counts once: without leading zeros, which one mail prints and another does
 * not, and as long as most references are. `reference` is text, or a fragment that names a column.
 */
export function countedReference(sql: Queryable, reference: unknown) {
  const bare = sql`regexp_replace(${reference}, '^0+(?=[0-9])', '')`;
  return sql`lpad(${bare}, greatest(length(${bare}), 12), '0')`;
}
