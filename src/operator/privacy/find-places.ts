import type { World } from '../../base/world.ts';
import type { Sought } from './find-traces.ts';
import { personalList } from './personal-columns.ts';
import { deleteWords, readTexts, selectOperatorDeeds, selectPlaces } from './queries/finding.ts';

/** Named one by one in the report, or packed and searched by unpacking. */
const apart =
  'audit_log.subject audit_log.details orders.merchant_order_id spent_order_ids.merchant_order_id raw_mails.raw order_archives.csv_gzip'.split(
    ' ',
  );

/**
 * Columns that still hold a value after erasing, as `payment_links.title`. All of the schema is searched, so that a report
 * is never silent about a column that nobody thought of. Rows that wait are in the report already.
 */
export async function findPlaces(
  { sql }: Pick<World, 'sql'>,
  { merchantId, needles, isHit }: Sought,
  waiting: readonly string[],
): Promise<string[]> {
  const keys = new Map(personalList.map(([table, { key }]) => [table, key]));
  const places = (await selectPlaces(sql)).filter(
    ({ table, column }) => !apart.includes(`${table}.${column}`),
  );
  const found = new Set<string>();
  for (const [table, columns] of Map.groupBy(places, one => one.table))
    await sql.begin(tx =>
      readTexts(tx, columns, { merchantId, needles, key: keys.get(table), waiting }, texts => {
        for (const [at, { column }] of columns.entries())
          if (texts[at] != null && !found.has(`${table}.${column}`) && isHit(texts[at]!))
            found.add(`${table}.${column}`);
      }),
    );
  return [...found];
}

/**
 * Erases a value that an operator searched for, from the log of business 0: searches are in cell 0, changes of a business in
 * its own cell. Answers with the entries about this business that hold one for ever.
 */
export async function cleanOperatorLog(
  { sql: own, cells }: Pick<World, 'sql' | 'cells'>,
  { merchantId, isHit }: Sought,
): Promise<string[]> {
  const kept: string[] = [];
  for (const sql of new Set([own, cells?.of(0).sql ?? own])) {
    const deeds = await selectOperatorDeeds(sql, merchantId);
    const searched = deeds.filter(({ words }) => words !== null && isHit(words)).map(({ seq }) => seq);
    if (searched.length > 0) await deleteWords(sql, searched);
    kept.push(...deeds.filter(({ details }) => isHit(details)).map(({ seq }) => `0/${seq}`));
  }
  return kept;
}
