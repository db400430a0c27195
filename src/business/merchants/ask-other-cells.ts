import type { Queryable, Transaction } from '../../base/database/connect.ts';
import { withDeadline } from '../../base/database/with-deadline.ts';
import type { Cells, World } from '../../base/world.ts';

type Asked = {
  merchant_id: number;
  account_id: string;
  vpa: string;
  payee_name: string;
  bank: string | null;
  account_digits: string | null;
  bank_named_at: Date;
};

const mostAsked = 200;

/** Call in the account's transaction: payments wait until the other cells were asked. Needs several cells. */
export async function markUnasked(
  tx: Transaction,
  { cells }: Pick<World, 'cells'>,
  merchantId: number,
  accountId: string,
): Promise<void> {
  if (cells)
    await tx`update upi_accounts set same_as = 0 where merchant_id = ${merchantId} and account_id = ${accountId}`;
}

/**
 * R2 across cells: asks the others whether they have an added or changed account too. If a genuine credit reached that
 * one before, payments to this one now wait for a person. Otherwise both cells could count one payment, because the
 * bank may notify both businesses. An account without credits blocks nobody, nor does one with another bank or other
 * digits. If a cell cannot be asked, the account stays as it is for the next round, and does not delay other accounts.
 */
export async function askOtherCells(cells: Cells, { sql, cell }: Pick<World, 'sql' | 'cell'>): Promise<void> {
  const others = cells.worlds.filter(one => one.cell !== cell);
  const unasked = await sql<Asked[]>`
    select merchant_id, account_id, vpa, payee_name, bank, account_digits, bank_named_at from upi_accounts
    where same_as = 0 order by random() limit ${mostAsked}`;
  const failures: unknown[] = [];
  for (const account of unasked) {
    const asked = others.map(async other => {
      const found = await withDeadline(selectEarlier(other.sql, account));
      return found.map(row => row.merchant_id).filter(id => cells.of(id) === other);
    });
    await Promise.all(asked)
      .then(
        found => sql`
          update upi_accounts set same_as = ${found.flat()[0] ?? null}
          where merchant_id = ${account.merchant_id} and account_id = ${account.account_id} and same_as = 0
            and bank_named_at = ${account.bank_named_at}`,
      )
      .catch(error => failures.push(error));
  }
  if (failures.length > 0) throw failures[0];
}

/** Businesses with this account that a genuine credit had reached before the other cell got it. */
function selectEarlier(sql: Queryable, account: Asked) {
  return sql<{ merchant_id: number }[]>`
    select u.merchant_id from upi_accounts u
    where u.removed_at is null and u.merchant_id <> ${account.merchant_id} and u.bank = ${account.bank}
      and ((lower(u.vpa) = lower(${account.vpa}) and same_account(u.account_digits, ${account.account_digits}))
        or (u.account_digits = ${account.account_digits} and lower(u.payee_name) = lower(${account.payee_name})))
      and (exists (select from orders o where o.merchant_id = u.merchant_id and o.account_id = u.account_id
          and o.paid_at between u.bank_named_at and ${account.bank_named_at})
        or exists (select from takings t where t.merchant_id = u.merchant_id and t.account_id = u.account_id
          and t.counted_at between u.bank_named_at and ${account.bank_named_at}))
    order by u.merchant_id`;
}
