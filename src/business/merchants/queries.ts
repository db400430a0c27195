import type { Queryable, Transaction } from '../../base/database/connect.ts';
import type { Paise } from '../../base/money.ts';
import type { PresentedKey } from './api-key.ts';

export type MerchantRow = {
  merchant_id: number;
  name: string;
  plan: string;
  created_at: Date;
  webhook_secret: string;
};

/** Call in a transaction. Fails if the id has moved to another cell. */
export async function insertMerchant(tx: Queryable, row: MerchantRow, cell = 0): Promise<void> {
  // Its window must be known from the first day: see orders/history/keep-history.ts.
  await tx`
    with new as (insert into merchants ${tx(row)} returning merchant_id, plan), noted as (
      insert into history_progress (merchant_id, window_days, kept_days)
      select new.merchant_id, p.history_days, p.history_days from new join plans p on p.plan = new.plan)
    select from new`;
  await tx`select own_id(${row.merchant_id}, ${cell})`;
}

type ApiKeyRow = { merchant_id: number; key_hash: string; key_id: string; name: string; created_at: Date };

export async function insertApiKey(sql: Queryable, row: ApiKeyRow): Promise<void> {
  await sql`insert into api_keys ${sql(row)}`;
}

/**
 * The `removed_at` of an account that the operator added and no owner has confirmed. No clock shows this time, so it
 * never means a removal. Every query, even of the previous release, treats the account as removed.
 */
export const unconfirmed = new Date(0);

/** Lock the business first, or two first accounts could both become the default. A returning one keeps its ceiling. */
export async function insertUpiAccount(
  sql: Queryable,
  { merchantId, accountId, now }: { merchantId: number; accountId: string; now: Date },
  account: NewUpiAccount,
  isConfirmed = true,
): Promise<void> {
  await sql`
    insert into upi_accounts (merchant_id, account_id, vpa, payee_name, kind, merchant_code, bank, account_digits,
      bank_named_at, created_at, review_above_paise, review_above_since, removed_at, is_default)
    select ${merchantId}::bigint, ${accountId}::text, ${account.vpa}::text, ${account.payeeName}::text,
      ${account.kind}::text, ${account.merchantCode ?? null}::text, ${account.bank}::text,
      ${account.accountDigits ?? null}::text, ${now}::timestamptz, ${now}::timestamptz, last.review_above_paise, last.review_above_since,
      ${isConfirmed ? null : unconfirmed}::timestamptz, ${isConfirmed} and not exists (select from upi_accounts where merchant_id = ${merchantId} and is_default and removed_at is null)
    from (values (1)) as one left join lateral (
      select review_above_paise, review_above_since from upi_accounts
      where merchant_id = ${merchantId} and vpa = ${account.vpa} order by created_at desc limit 1) as last on true`;
}

/** Serialises changes of accounts, keys and alert addresses. Orders continue, because they do not lock the business. */
export async function lockMerchant(tx: Transaction, merchantId: number): Promise<void> {
  await tx`select from merchants where merchant_id = ${merchantId} for no key update`;
}

export function selectAccountPlaces(sql: Queryable, merchantId: number) {
  return sql<{ account_id: string; vpa: string; is_default: boolean }[]>`
    select account_id, vpa, is_default from upi_accounts where merchant_id = ${merchantId} and removed_at is null`;
}

/** Sets the sum above which an exact alert waits for a person. Returns false for an unknown account. */
export async function writeCeiling(
  sql: Queryable,
  merchantId: number,
  accountId: string,
  ceiling: Paise | null,
  now: Date,
): Promise<boolean> {
  return await sql`
    update upi_accounts set review_above_paise = ${ceiling}, review_above_since = ${now}
    where merchant_id = ${merchantId} and account_id = ${accountId} and removed_at is null
    returning account_id`.some();
}

/**
 * Whether payments without an order are counted. Applies to all UPI IDs of the bank account, as a mail names none.
 * False for an unknown one.
 */
export async function writeCountsOrderless(
  sql: Queryable,
  merchantId: number,
  accountId: string,
  counts: boolean,
): Promise<boolean> {
  return await sql`
    update upi_accounts u set counts_takings = ${counts}, takings_asked = true
    from upi_accounts asked
    where asked.merchant_id = ${merchantId} and asked.account_id = ${accountId} and asked.removed_at is null
      and u.merchant_id = asked.merchant_id and u.removed_at is null
      and (u.account_id = asked.account_id or (u.bank = asked.bank and u.account_digits = asked.account_digits))
    returning u.account_id`.some();
}

export async function markAccountRemoved(sql: Queryable, merchantId: number, accountId: string, now: Date) {
  return await sql`
    update upi_accounts set removed_at = ${now}, is_default = false
    where merchant_id = ${merchantId} and account_id = ${accountId} and removed_at is null
    returning account_id`.some();
}

/** The reason of the operator's halt. `disabled_at` refuses new orders in both cases. */
export type Halt = { reason: string; onlyNewOrders: boolean };

/** Also works for a business that has left or is being moved, but does not open or close it. */
export async function setDisabled(
  sql: Queryable,
  merchantId: number,
  disabledAt: Date | null,
  { reason, onlyNewOrders }: Halt = { reason: '', onlyNewOrders: false },
) {
  return await sql`
    update merchants set disabled_at = ${disabledAt}, disabled_reason = ${reason}, no_new_orders = ${onlyNewOrders}
    where merchant_id = ${merchantId} returning merchant_id`.some();
}

/** Wakes the history worker after a plan or the sandbox's clock moved a window. */
export const historyChannel = 'milaan_history';

export async function setPlan(sql: Queryable, merchantId: number, plan: string): Promise<boolean> {
  const rows =
    await sql`update merchants set plan = ${plan} where merchant_id = ${merchantId} returning merchant_id`;
  if (rows.length === 1) await sql.notify(historyChannel, '');
  return rows.length === 1;
}

export async function planExists(sql: Queryable, plan: string): Promise<boolean> {
  return await sql`select from plans where plan = ${plan}`.some();
}

export type MerchantSummary = Omit<MerchantRow, 'webhook_secret'> & {
  disabled_at: Date | null;
  no_new_orders: boolean;
  deletion_requested_at: Date | null;
  moved_at: Date | null;
  owner: string | null;
};

export async function listMerchants(sql: Queryable): Promise<MerchantSummary[]> {
  return await sql<MerchantSummary[]>`
    select m.merchant_id, m.name, m.plan, m.created_at, m.disabled_at, m.no_new_orders, m.deletion_requested_at, m.moved_at,
      (select min(u.email) from users u where u.merchant_id = m.merchant_id and u.role = 'owner') as owner
    from merchants m order by m.created_at, m.merchant_id`;
}

export type NewUser = {
  merchant_id: number;
  user_id: string;
  email: string;
  /** A person without a mail address has one. */
  name?: string | null;
  role: string;
  password_hash: string;
  created_at: Date;
};

export async function insertUser(sql: Queryable, row: NewUser): Promise<void> {
  await sql`insert into users ${sql(row)}`;
}

/** A shop's server with its key, or a signed-in person whose permission was checked. */
export type Caller = PresentedKey | { merchantId: number; signedIn: true };

/** Needs `merchants m` in the query. A business that only refuses new orders is not disabled. */
export function isDisabled(sql: Queryable) {
  return sql`(m.disabled_at is not null and not m.no_new_orders or m.deletion_requested_at is not null
    or m.left_at is not null)`;
}

/** Needs `merchants m` in the query. The business is closed, or being moved and soon back elsewhere. */
export function whyRefused(sql: Queryable) {
  return sql`case when ${isDisabled(sql)} then 'merchant_disabled' when m.moved_at is not null then 'service_unavailable' end`;
}

export type Standing = { refusal: 'merchant_disabled' | 'service_unavailable' | null };

/** Refuses a change while the business is moved; call it in the change's transaction. */
export async function refuseMoved(tx: Queryable, merchantId: number): Promise<void> {
  await tx`select refuse_moved(${merchantId})`;
}

/** The caller's business and plan, as the first step of every API query. */
export function callerOf(sql: Queryable, caller: Caller) {
  if ('signedIn' in caller) {
    return sql`
      select m.merchant_id, ${whyRefused(sql)} as refusal,
        p.monthly_limit_paise, p.account_limit, p.history_days, p.upgrade_url
      from merchants m join plans p on p.plan = m.plan
      where m.merchant_id = ${caller.merchantId}`;
  }
  return sql`
    select m.merchant_id, ${whyRefused(sql)} as refusal,
      p.monthly_limit_paise, p.account_limit, p.history_days, p.upgrade_url
    from api_keys k
      join merchants m on m.merchant_id = k.merchant_id
      join plans p on p.plan = m.plan
    where k.merchant_id = ${caller.merchantId} and k.key_hash = ${caller.hash} and k.revoked_at is null`;
}

export function selectCaller(sql: Queryable, key: PresentedKey) {
  return sql<Standing[]>`${callerOf(sql, key)}`;
}

/** Writes keys' last uses; the newest wins. Rows are locked in one order, so that two processes cannot deadlock. */
export async function updateKeyUses(
  sql: Queryable,
  uses: readonly (PresentedKey & { at: Date })[],
): Promise<void> {
  if (uses.length === 0) return;
  await sql`
    with used as materialized (
      select k.merchant_id, k.key_hash, u.at from api_keys k
        join unnest(${uses.map(use => use.merchantId)}::bigint[], ${uses.map(use => use.hash)}::bytea[],
          ${uses.map(use => use.at.toISOString())}::timestamptz[]) as u (merchant_id, key_hash, at)
          using (merchant_id, key_hash)
      order by 1, 2 for no key update of k
    )
    update api_keys k set last_used_at = used.at from used
    where k.merchant_id = used.merchant_id and k.key_hash = used.key_hash
      and (k.last_used_at is null or k.last_used_at < used.at)`;
}

export type KeyReads = PresentedKey & { day: string; reads: number };

export async function addKeyReads(sql: Queryable, counted: readonly KeyReads[]): Promise<void> {
  if (counted.length === 0) return;
  await sql`
    insert into key_reads (merchant_id, key_id, day, reads)
    select k.merchant_id, k.key_id, c.day, c.reads
    from unnest(${counted.map(one => one.merchantId)}::bigint[], ${counted.map(one => one.hash)}::bytea[],
        ${counted.map(one => one.day)}::date[], ${counted.map(one => one.reads)}::bigint[]) as c (merchant_id, key_hash, day, reads)
      join api_keys k on k.merchant_id = c.merchant_id and k.key_hash = c.key_hash
    order by 1, 2, 3
    on conflict (merchant_id, key_id, day) do update set reads = key_reads.reads + excluded.reads`;
}

export type NewUpiAccount = {
  vpa: string;
  payeeName: string;
  kind: 'personal' | 'merchant';
  merchantCode?: string | null;
  /** The bank file's id. Alerts of other banks do not count. */
  bank: string;
  accountDigits?: string | null;
};
