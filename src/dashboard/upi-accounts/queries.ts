import type { Queryable } from '../../base/database/connect.ts';
import type { Paise } from '../../base/money.ts';

export type AccountRow = {
  account_id: string;
  vpa: string;
  payee_name: string;
  kind: 'personal' | 'merchant';
  merchant_code: string | null;
  /** The id of its bank's file; null if nobody has named the bank yet. */
  bank: string | null;
  account_digits: string | null;
  review_above_paise: Paise | null;
  counts_takings: boolean;
  is_default: boolean;
  created_at: Date;
  /** Beyond the plan's number of accounts: the oldest accounts work, the others wait for a larger plan. */
  paused: boolean;
  account_limit: number | null;
};

export async function selectAccounts(sql: Queryable, merchantId: number): Promise<AccountRow[]> {
  return await sql<AccountRow[]>`
    select a.account_id, a.vpa, a.payee_name, a.kind, a.merchant_code, a.bank, a.account_digits, a.is_default, a.created_at,
      a.review_above_paise, a.counts_takings, p.account_limit,
      coalesce(row_number() over (order by a.created_at, a.account_id) > p.account_limit, false) as paused
    from upi_accounts a join merchants m on m.merchant_id = a.merchant_id join plans p on p.plan = m.plan
    where a.merchant_id = ${merchantId} and a.removed_at is null
    order by a.created_at, a.account_id`;
}

export async function selectAccount(sql: Queryable, merchantId: number, accountId: string | undefined) {
  return (await selectAccounts(sql, merchantId)).find(account => account.account_id === accountId);
}
