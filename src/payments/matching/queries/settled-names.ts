import type { Queryable } from '../../../base/database/connect.ts';
import { settlesHandled } from './claimed-credits.ts';

export type SettledName = {
  alert_id: string;
  signatures: string[];
  bank: string | null;
  /** Null also where it was erased: then nobody can claim it, and its signature counts alone. */
  bank_reference: string | null;
  digits: string | null;
};

/** What a business has settled, a part at a time in the order of its alerts. */
export async function selectSettledNames(
  sql: Queryable,
  merchantId: number,
  after: string,
): Promise<SettledName[]> {
  return await sql<SettledName[]>`
    select a.alert_id, array_remove(a.signature_id || a.other_signature_ids, null) as signatures, a.bank, a.bank_reference,
      coalesce((select u.account_digits from orders o
          join upi_accounts u on u.merchant_id = o.merchant_id and u.account_id = o.account_id
        where o.merchant_id = a.merchant_id and o.order_id = a.order_id), a.account_digits, (select min(u.account_digits) from upi_accounts u
        where u.merchant_id = a.merchant_id and u.bank = a.bank having count(*) = 1)) as digits
    from alerts a
    where a.merchant_id = ${merchantId} and a.alert_id > ${after} and (a.verdict = 'paid' or exists (
      select from handled_credits where merchant_id = a.merchant_id and alert_id = a.alert_id and ${settlesHandled(sql)}))
    order by a.alert_id limit 1000`;
}

type Name = { alert_id: string; name: Buffer; digits: string | null };

function unnested(sql: Queryable, names: readonly Name[]) {
  return sql`unnest(${names.map(one => one.name)}::bytea[], ${names.map(one => one.alert_id)}::text[],
    ${names.map(one => one.digits)}::text[]) as n (name, alert_id, digits)`;
}

/** In cell 0: the alerts of which another business has something, or nobody. */
export async function selectMisclaimed(
  sql: Queryable,
  merchantId: number,
  names: readonly Name[],
): Promise<{ alert_id: string; holder: number | null }[]> {
  return await sql<{ alert_id: string; holder: number | null }[]>`
    select distinct n.alert_id, c.merchant_id as holder from ${unnested(sql, names)}
      left join claimed_credits c on c.name = n.name and c.merchant_id <> ${merchantId} and same_account(c.digits, n.digits)
    where c.name is not null
      or not exists (select from claimed_credits o where o.name = n.name and o.merchant_id = ${merchantId})`;
}

/** In cell 0; what is claimed already stays as it is. */
export async function insertClaims(
  sql: Queryable,
  merchantId: number,
  names: readonly Name[],
  now: Date,
): Promise<number> {
  const added = await sql`
    insert into claimed_credits (name, merchant_id, alert_id, digits, since)
    select distinct on (n.name) n.name, ${merchantId}::bigint, n.alert_id, n.digits, ${now}::timestamptz
    from ${unnested(sql, names)} order by n.name, n.alert_id on conflict do nothing returning 1`;
  return added.length;
}
