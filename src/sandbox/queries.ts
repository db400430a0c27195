import { reasonColumn } from '../alerts/queries.ts';
import type { Queryable, Transaction } from '../base/database/connect.ts';
import { historyTables } from '../business/accounts/queries/merchants.ts';
import { defaultPlan } from '../business/merchants/plans.ts';
import type { NewUpiAccount } from '../business/merchants/queries.ts';
import type { Order } from '../orders/order.ts';
import { sayReason } from '../texts/say.ts';
import { type Reason, readVerdicts, type Verdict } from '../texts/verdicts.ts';

export async function readDefaultAccount(sql: Queryable, merchantId: number) {
  return await sql<{ account_id: string; bank: string | null; account_digits: string | null }[]>`
    select account_id, bank, account_digits from upi_accounts
    where merchant_id = ${merchantId} and is_default and removed_at is null`.first();
}

/** There is no such server: the simulated bank hands its mails over directly. */
const demoMailboxHost = 'imap.kettle-and-leaf.example';

type DemoMailbox = { merchantId: number; address: string; credential: string; now: Date };

/** Without a lease, so that no process tries to connect. A mailbox that the developer connected stays. */
export async function insertDemoMailbox(sql: Queryable, mailbox: DemoMailbox): Promise<void> {
  await sql`
    insert into mailboxes (merchant_id, provider, address, username, host, port, credential, revision, connected_at)
    values (${mailbox.merchantId}, 'other', ${mailbox.address}, ${mailbox.address}, ${demoMailboxHost}, 993,
      ${mailbox.credential}, nextval('mailbox_revisions'), ${mailbox.now})
    on conflict do nothing`;
  await sql`insert into mailbox_states (merchant_id) values (${mailbox.merchantId}) on conflict do nothing`;
}

export async function recordDemoPoll(sql: Queryable, at: Date): Promise<void> {
  await sql`
    update mailbox_states s set last_good_poll = ${at}, connected_since = coalesce(s.connected_since, ${at})
    from mailboxes m
    where m.merchant_id = s.merchant_id and m.host = ${demoMailboxHost}`;
}

export type PayableOrder = Order & { account_digits: string | null };

export type Booked = { at: Date; reference: string; paise: number };

/** Payments that the bank mailed and booked, each once, oldest first. */
export async function readBooked(sql: Queryable, merchantId: number, falseEnd: string): Promise<Booked[]> {
  return await sql<Booked[]>`
    select min(alert_time) as at, bank_reference as reference, amount_paise as paise from alerts
    where merchant_id = ${merchantId} and verdict in ${sql([...readVerdicts])}
      and bank_reference not like ${`%${falseEnd}`}
    group by bank_reference, amount_paise order by 1, 2`;
}

/** Returns the first of these amounts that no order holds, preferring amounts that no order ever held. */
export async function readStrayAmount(
  sql: Queryable,
  merchantId: number,
  amounts: readonly number[],
  now: Date,
): Promise<number | null> {
  return await sql<{ stray: number }[]>`
    select s.stray from unnest(${amounts}::bigint[]) with ordinality as s (stray, place)
    left join amounts a on a.merchant_id = ${merchantId} and a.payable_paise = s.stray
    where a.held_until is null or a.held_until <= ${now}
    order by a.held_until is not null, s.place limit 1`.value();
}

export async function isSending(sql: Queryable, merchantId: number): Promise<boolean> {
  return await sql`
    select from deliveries_in_hand where merchant_id = ${merchantId} limit 1`.some();
}

export type StoredVerdict = { verdict: Verdict; reason: string; order_id: string | null };

export async function readVerdict(sql: Queryable, merchantId: number, alertId: string) {
  const [row] = await sql<{ verdict: Verdict; reason: Reason | null; order_id: string | null }[]>`
    select verdict, ${reasonColumn(sql)}, order_id from alerts where merchant_id = ${merchantId} and alert_id = ${alertId}`;
  return row ? { ...row, reason: row.reason ? sayReason('en', row.reason) : '' } : null;
}

/** Deletes everything that happened to a business; its user, its keys and its secret stay. */
export async function forgetHistory(tx: Transaction, merchantId: number): Promise<void> {
  for (const table of [...historyTables, 'counted_signatures']) {
    await tx.unsafe(`delete from ${table} where merchant_id = $1`, [merchantId]);
  }
  await tx`update forward_addresses set last_alert_at = null, works_since = null where merchant_id = ${merchantId}`;
  await tx`delete from dkim_keys`;
  await tx`
    update merchants set disabled_at = null, no_new_orders = false, deletion_requested_at = null, hold_near_misses = sells_plans,
      webhook_url = null, wanted_events = '{}', plan = case when sells_plans then plan else ${defaultPlan} end
    where merchant_id = ${merchantId}`;
}

/** Restores the demo accounts and deletes added ones, which no order names any more. The first is the default. */
export async function restoreAccounts(
  tx: Transaction,
  merchantId: number,
  accounts: readonly NewUpiAccount[],
): Promise<void> {
  const vpas = accounts.map(account => account.vpa);
  await tx`
    delete from upi_accounts where merchant_id = ${merchantId} and account_id not in (
      select distinct on (vpa) account_id from upi_accounts
      where merchant_id = ${merchantId} and vpa in ${tx(vpas)} order by vpa, created_at, account_id)`;
  await tx`update upi_accounts set is_default = false, review_above_paise = null, counts_takings = false
    where merchant_id = ${merchantId}`;
  for (const account of accounts) {
    await tx`
      update upi_accounts
      set removed_at = null, payee_name = ${account.payeeName}, kind = ${account.kind},
        merchant_code = ${account.merchantCode ?? null}, bank = ${account.bank},
        account_digits = ${account.accountDigits ?? null},
        bank_named_at = created_at, is_default = ${account.vpa === vpas[0]}
      where merchant_id = ${merchantId} and vpa = ${account.vpa}`;
  }
}
