import { day, later } from '../../../base/clock.ts';
import type { Queryable, Transaction } from '../../../base/database/connect.ts';
import { indianMonth } from '../../../business/merchants/indian-month.ts';

export type Report = { merchant_id: number; name: string; order_id: string; reported_at: Date; note: string };
const mostShown = 100;

export async function selectReports(sql: Queryable): Promise<Report[]> {
  return await sql<Report[]>`
    select r.merchant_id, m.name, r.order_id, r.reported_at, r.note
    from page_reports r join merchants m on m.merchant_id = r.merchant_id
    where r.settled_at is null order by r.reported_at, r.order_id limit ${mostShown}`;
}

export async function countOpenReports(sql: Queryable): Promise<number> {
  const [row] = await sql<{ count: number }[]>`
    select count(*) as count from page_reports where settled_at is null`;
  return row!.count;
}

export async function settleReport(
  tx: Transaction,
  { merchantId, orderId }: { merchantId: number; orderId: string },
  by: { email: string; now: Date },
): Promise<boolean> {
  return await tx`
    update page_reports set settled_at = ${by.now}, settled_by = ${by.email}
    where merchant_id = ${merchantId} and order_id = ${orderId} and settled_at is null returning order_id`.some();
}

export type Oddity = {
  merchant_id: number;
  name: string;
  kind: 'shared_vpa' | 'other_cell' | 'young_fast' | 'forged' | 'bank_name';
  /** The UPI ID or the name that looks odd. */
  what: string;
  /** The business of another cell that has the account too. */
  same_as: number | null;
};

const young = 14 * day;
const fastPaise = 1_00_000 * 100;
const forgedIn = 7 * day;
const manyForged = 10;
/** Whole words that customers take for a bank, an app or an authority. */
const borrowed =
  '\\y(bank|rbi|npci|upi|bhim|sbi|hdfc|icici|pnb|phonepe|paytm|google ?pay|gpay|income ?tax|police|customer ?care|kyc|refund|lottery)\\y|बैंक|पुलिस|रिफंड|लॉटरी';

/** Open businesses with something odd. A single sign proves nothing; each has had an honest reason somewhere. */
export async function selectOddities(sql: Queryable, now: Date): Promise<Oddity[]> {
  return await sql<Oddity[]>`
    with open as materialized (
      select merchant_id, name, created_at from merchants where deletion_requested_at is null
    ), accounts as materialized (
      select merchant_id, lower(vpa) as vpa, payee_name from upi_accounts where removed_at is null
    ), shared as (
      select vpa from accounts group by vpa having count(distinct merchant_id) > 1
    )
    (select distinct b.merchant_id, b.name, 'shared_vpa' as kind, a.vpa as what, null::bigint as same_as
      from shared s join accounts a on a.vpa = s.vpa join open b on b.merchant_id = a.merchant_id
      order by a.vpa, b.merchant_id limit ${mostShown})
    union all (select b.merchant_id, b.name, 'other_cell', u.vpa, u.same_as
      from upi_accounts u join open b on b.merchant_id = u.merchant_id
      where u.same_as > 0 and u.removed_at is null order by b.merchant_id limit ${mostShown})
    union all (select b.merchant_id, b.name, 'young_fast', '', null from open b
        join collections c on c.merchant_id = b.merchant_id and c.month = ${indianMonth(sql, now)}
      where b.created_at > ${later(now, -young)} and c.collected_paise >= ${fastPaise}
      order by c.collected_paise desc limit ${mostShown})
    union all (select b.merchant_id, b.name, 'forged', '', null from open b cross join lateral (
        select count(*) as count from (select from alerts a where a.merchant_id = b.merchant_id and a.verdict = 'forged'
          and a.verdict <> 'paid' and a.arrived_at > ${later(now, -forgedIn)} limit ${manyForged}) as few) as forged
      where forged.count >= ${manyForged} order by b.merchant_id limit ${mostShown})
    union all (select distinct on (b.merchant_id) b.merchant_id, b.name, 'bank_name', shown.name, null
      from open b left join accounts a on a.merchant_id = b.merchant_id
        cross join lateral (values (b.name), (a.payee_name)) as shown (name)
      where shown.name ~* ${borrowed} order by b.merchant_id limit ${mostShown})`;
}
