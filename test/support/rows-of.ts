import { tablesOfABusiness } from '../../src/business/accounts/queries/businesses.ts';
import type { TestWorld } from './test-world.ts';

/** Everything that the database holds of a business, table by table, as text. */
export async function rowsOf({ sql }: TestWorld, merchantId: number): Promise<Record<string, string>> {
  const rows: Record<string, string> = {};
  for (const table of tablesOfABusiness) {
    const [row] = await sql.unsafe(
      `select coalesce(string_agg(t::text, e'\\n' order by t::text), '') as text from ${table} t where merchant_id = $1`,
      [merchantId],
    );
    rows[table] = row!['text'];
  }
  return rows;
}
