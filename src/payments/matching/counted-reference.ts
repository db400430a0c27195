import type { Queryable } from '../../base/database/connect.ts';

/** A bank's reference in the form in which it counts once. `reference` is text, or a fragment that names a column. */
export function countedReference(sql: Queryable, reference: unknown) {
  return sql`counted_reference(${reference})`;
}

/** The same in the program. */
export function countedForm(reference: string): string {
  return reference.replace(/^0+(?=\d)/, '').padStart(12, '0');
}
