import type { Queryable } from '../../base/database/connect.ts';
import type { Paise } from '../../base/money.ts';
import { creditVerdicts, notOursVerdicts, type Verdict } from '../../texts/verdicts.ts';
import { countedReference } from '../matching/counted-reference.ts';
import type { Columns } from './find-columns.ts';

export async function selectColumns(
  sql: Queryable,
  merchantId: number,
  bank: string,
): Promise<Columns | null> {
  const [row] = await sql<{ columns: Columns }[]>`
    select columns from statement_columns where merchant_id = ${merchantId} and bank = ${bank}`;
  return row?.columns ?? null;
}

export async function saveColumns(
  sql: Queryable,
  merchantId: number,
  bank: string,
  columns: Columns,
): Promise<void> {
  await sql`
    insert into statement_columns (merchant_id, bank, columns) values (${merchantId}, ${bank}, ${columns})
    on conflict (merchant_id, bank) do update set columns = excluded.columns`;
}

/** A credit reported by a mail of this bank. `reference` is in the form in which it counts once. */
export type ToldCredit = {
  alert_id: string;
  arrived_at: Date;
  alert_time: Date;
  amount_paise: Paise;
  reference: string | null;
  verdict: Verdict;
  order_id: string | null;
  payer: string | null;
};

/** A page of them by arrival, which is what the index knows; a mail may come days after the money. */
export async function selectToldCredits(
  sql: Queryable,
  merchantId: number,
  bank: string,
  { from, until, arrivedUntil }: { from: Date; until: Date; arrivedUntil: Date },
  after: { arrived_at: Date; alert_id: string },
  limit: number,
): Promise<ToldCredit[]> {
  return await sql<ToldCredit[]>`
    select a.alert_id, a.arrived_at, a.alert_time, a.amount_paise, a.verdict, a.order_id, a.payer,
      ${countedReference(sql, sql`a.bank_reference`)} as reference
    from alerts a
    where a.merchant_id = ${merchantId} and (a.arrived_at, a.alert_id) > (${after.arrived_at}, ${after.alert_id})
      and a.arrived_at < ${arrivedUntil} and a.alert_time >= ${from} and a.alert_time < ${until} and a.bank = ${bank}
      and a.amount_paise is not null
      and a.verdict in ${sql(['paid', ...creditVerdicts, ...notOursVerdicts])}
    order by a.arrived_at, a.alert_id limit ${limit}`;
}
