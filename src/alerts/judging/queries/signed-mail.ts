import type { Queryable } from '../../../base/database/connect.ts';
import { rawOf } from './raw.ts';

export type SignedMail = {
  /** Compressed; null once it has left. */
  raw: Buffer | null;
  arrived_at: Date;
  /** Who read it, where no program could. */
  read_by: string | null;
  key_name: string;
  /** Every record that was ever seen under that name, the latest first. */
  keys: { record: string; first_seen: string; last_seen: string }[];
};

/** The mail behind a payment, as it came, and the keys that it can be proved with. */
export async function selectSignedMail(
  sql: Queryable,
  merchantId: number,
  alertId: string,
): Promise<SignedMail | null> {
  const [row] = await sql<SignedMail[]>`
    select ${rawOf(sql)} as raw, a.arrived_at, a.read_by, n.key_name,
      (select coalesce(json_agg(json_build_object('record', k.record, 'first_seen', k.first_seen, 'last_seen', k.last_seen)
        order by k.last_seen desc), '[]') from dkim_keys k where k.name = n.key_name) as keys
    from alerts a cross join lateral (select lower(a.selector || '._domainkey.' || a.signing_domain) as key_name) n
    where a.merchant_id = ${merchantId} and a.alert_id = ${alertId} and a.selector is not null`;
  return row ?? null;
}
