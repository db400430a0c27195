import { tablesOfAMerchant } from '../../src/business/accounts/queries/merchants.ts';
import type { TestWorld } from './test-world.ts';

/** All tables in one question: walks ask it hundreds of times. */
const everything = tablesOfAMerchant
  .map(
    table =>
      `select '${table}' as name, coalesce(string_agg(t::text, e'\\n' order by t::text), '') as text from ${table} t where merchant_id = $1`,
  )
  .join(' union all ');

/** Everything that the database holds of a business, table by table, as text. */
export async function rowsOf({ sql }: TestWorld, merchantId: number): Promise<Record<string, string>> {
  const rows = await sql.unsafe(everything, [merchantId]);
  return Object.fromEntries(rows.map(({ name, text }) => [name, text]));
}
