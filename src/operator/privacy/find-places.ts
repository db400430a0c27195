import type { World } from '../../base/world.ts';
import type { Wait } from './erasure.ts';
import type { Sought } from './find-traces.ts';
import { hits, needlesOf } from './person-values.ts';
import { personalList } from './personal-columns.ts';
import { readTexts, selectPlaces } from './queries/finding.ts';

/** Named one by one in the report, or packed and searched by unpacking. */
const apart =
  'audit_log.subject audit_log.details orders.merchant_order_id spent_order_ids.merchant_order_id raw_mails.raw order_archives.csv_gzip';

/**
 * Columns that still hold a value after erasing, as `payment_links.title`. All of the schema is searched, so that a report
 * is never silent about a column that nobody thought of. Rows that wait are in the report already.
 */
export async function findPlaces(
  { sql }: Pick<World, 'sql'>,
  { merchantId, seek, before }: Sought,
  waits: readonly Wait[],
): Promise<string[]> {
  const found = new Set<string>();
  const isHit = hits(seek);
  const personal = new Map(personalList);
  const tables = await selectPlaces(sql, apart);
  await sql.begin(async tx => {
    for (const { table, columns, texts, is_owned } of tables) {
      const { key, at } = personal.get(table) ?? {};
      const where = `${is_owned ? 'and t.merchant_id = $2' : ''} ${key ? `and (${at} <= $3) is not false and t.${key}::text <> all ($4)` : ''}`;
      const values = [
        needlesOf(seek),
        ...(is_owned ? [merchantId] : []),
        ...(key ? [before, waits.map(({ id }) => id)] : []),
      ];
      for await (const row of readTexts(tx, table, { texts, where, values }))
        for (const [place, text] of row.entries())
          if (text !== null && isHit(text)) found.add(`${table}.${columns[place]}`);
    }
  });
  return [...found];
}
