import type { Queryable } from '../../../base/database/connect.ts';
import type { Paise } from '../../../base/money.ts';
import { creditVerdicts, notOursVerdicts, type Verdict } from '../../../texts/verdicts.ts';
import { countedReference } from '../../matching/sql-fragments.ts';
import type { Columns } from '../find-columns.ts';

export async function selectColumns(sql: Queryable, merchantId: number, bank: string) {
  const [row] = await sql<{ columns: Columns }[]>`
    select columns from statement_columns where merchant_id = ${merchantId} and bank = ${bank}`;
  return row?.columns ?? null;
}

export async function saveColumns(sql: Queryable, merchantId: number, bank: string, columns: Columns) {
  await sql`
    insert into statement_columns (merchant_id, bank, columns) values (${merchantId}, ${bank}, ${columns})
    on conflict (merchant_id, bank) do update set columns = excluded.columns`;
}

/** A credit reported by a mail of this bank. `reference` is in the form in which it counts once. */
export type ReportedCredit = {
  alert_id: string;
  arrived_at: Date;
  alert_time: Date;
  amount_paise: Paise;
  reference: string | null;
  verdict: Verdict;
  order_id: string | null;
  payer: string | null;
  /** The line of a statement that confirmed it before. */
  line_key: string | null;
  /** Whether it certainly belongs to this account: its mail says so, or the account has not changed since. */
  is_sure: boolean;
};

/** A page of credits that may belong to the account, by arrival, because that is indexed. A mail may come days late. */
export async function selectReportedCredits(
  sql: Queryable,
  merchantId: number,
  { bank, digits }: { bank: string; digits: string | null },
  { from, until, arrivedUntil }: { from: Date; until: Date; arrivedUntil: Date },
  after: { arrived_at: Date; alert_id: string },
  limit: number,
): Promise<ReportedCredit[]> {
  return await sql<ReportedCredit[]>`
    select a.alert_id, a.arrived_at, a.alert_time, a.amount_paise, a.verdict, a.order_id, a.payer,
      ${countedReference(sql, sql`a.bank_reference`)} as reference, s.line_key,
      a.account_digits is not null or coalesce(u.bank_named_at <= a.alert_time, true) as is_sure
    from alerts a
      left join orders o on o.merchant_id = a.merchant_id and o.order_id = a.order_id and o.alert_id = a.alert_id
      left join upi_accounts u on u.merchant_id = o.merchant_id and u.account_id = o.account_id
      left join statement_marks s on s.merchant_id = o.merchant_id and s.order_id = o.order_id
    where a.merchant_id = ${merchantId} and (a.arrived_at, a.alert_id) > (${after.arrived_at}, ${after.alert_id})
      and a.arrived_at < ${arrivedUntil} and a.alert_time >= ${from} and a.alert_time < ${until} and a.bank = ${bank}
      and a.amount_paise is not null
      and a.verdict in ${sql(['paid', ...creditVerdicts, ...notOursVerdicts])}
      -- Both account numbers agree as far as both are known.
      and coalesce(right(coalesce(a.account_digits, u.account_digits), length(${digits}::text))
        = right(${digits}::text, length(coalesce(a.account_digits, u.account_digits))), true)
    order by a.arrived_at, a.alert_id limit ${limit}`;
}
