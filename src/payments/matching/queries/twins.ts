import type { Queryable, Transaction } from '../../../base/database/connect.ts';
import type { Paise } from '../../../base/money.ts';
import type { Verdict } from '../../../texts/verdicts.ts';

/** Another credit that may be the same payment, as `credit_twins` finds it (R2). */
export type Twin = {
  /** `elsewhere`: in another business with the same account. Nothing of it is shown. */
  alert_id: string;
  order_id: string | null;
  verdict: Verdict | null;
  amount_paise: Paise | null;
  alert_time: Date | null;
  /** It settled something, so a person has to say that the two are two payments. */
  asks: boolean;
};

/** For a mail that a person reads: which numbers may be its reference, and which sums its own. */
type Offered = { numbers: readonly string[] | null; amounts: readonly Paise[] | null };
const asRead: Offered = { numbers: null, amounts: null };

export async function selectTwins(sql: Queryable, merchantId: number, alertId: string, offered = asRead) {
  return await sql<Twin[]>`
    select * from credit_twins(${merchantId}, ${alertId}, ${offered.numbers}::text[], ${offered.amounts}::bigint[])`;
}

/** True if it has a twin that the person was not shown. Call this before locking the alert. */
export async function asksFirst(
  tx: Transaction,
  { merchantId, now }: { merchantId: number; now: Date },
  { alertId, seen, offered = asRead }: { alertId: string; seen: readonly string[]; offered?: Offered },
): Promise<boolean> {
  const [row] = await tx<{ asks: boolean }[]>`
    select ask_about_twins(${merchantId}, ${alertId}, ${offered.numbers}::text[], ${offered.amounts}::bigint[], ${seen}::text[], ${now}) as asks`;
  return row!.asks;
}
