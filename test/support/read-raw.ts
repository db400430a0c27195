import { promisify } from 'node:util';
import { inflate } from 'node:zlib';
import { rawOf } from '../../src/alerts/queries.ts';
import type { Queryable } from '../../src/base/database/connect.ts';

/** The bytes as they arrived, or null once the history window is over. */
export async function readRaw(sql: Queryable, merchantId: number, alertId: string): Promise<Buffer | null> {
  const [row] = await sql<{ raw: Buffer | null }[]>`
    select ${rawOf(sql)} as raw from alerts a where merchant_id = ${merchantId} and alert_id = ${alertId}`;
  return row?.raw ? await promisify(inflate)(row.raw) : null;
}
