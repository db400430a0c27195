import type { Queryable, Transaction } from '../../../base/database/connect.ts';
import type { Verdict } from '../../../texts/verdicts.ts';

export type Names = { signatures: Buffer[]; reference: Buffer | null };

/** What a claim is about. A credit that was judged has all of it. */
export type Claimable = {
  merchantId: number;
  alertId: string;
  signatureIds: readonly string[];
  bank: string | null;
  reference: string | null;
  accountDigits: string | null;
  /** Of the account whose order it settles: as `settled_references` has it, so that it keeps the reference from no other. */
  recordedDigits?: string | null;
};

export type Holder = { merchantId: number; alertId: string; since: Date };

/** In cell 0: null, and from then on it is ours where it `settles`; or who holds something of it. */
export async function claimNames(
  sql: Queryable,
  { merchantId, alertId, signatureIds, bank, reference, accountDigits, recordedDigits = null }: Claimable,
  names: Names,
  settles: boolean,
  now: Date,
): Promise<Holder | null> {
  const [row] = await sql<{ holder: number | null; held_alert: string; held_since: Date }[]>`
    select * from claim_credit(${merchantId}, ${alertId}, ${names.signatures}::bytea[], ${names.reference}, ${accountDigits}, ${recordedDigits},
      ${[...signatureIds]}::text[], ${bank}, ${reference}, ${settles}, ${now})`;
  return row!.holder === null
    ? null
    : { merchantId: row!.holder, alertId: row!.held_alert, since: row!.held_since };
}

/** Which account a credit without digits came to, where the business has only one at that bank. */
export async function selectOnlyDigits(
  tx: Queryable,
  { merchantId, bank }: Claimable,
): Promise<string | null> {
  const [row] = await tx<{ digits: string | null }[]>`
    select min(account_digits) as digits from upi_accounts where merchant_id = ${merchantId} and bank = ${bank}
    having count(*) = 1`;
  return row?.digits ?? null;
}

/** In the business's own cell, once its alert is locked: `gone` where there is no such alert, null where no such business. */
export async function lockHolder(
  tx: Transaction,
  { merchantId, alertId }: Holder,
): Promise<'settled' | 'waits' | 'gone' | null> {
  const here =
    await tx`select case when left_at is null then stop_if_moved(moved_at) end from merchants where merchant_id = ${merchantId}`;
  if (here.length === 0) return null;
  const [alert] = await tx<{ verdict: Verdict }[]>`
    select verdict from alerts where merchant_id = ${merchantId} and alert_id = ${alertId} for update`;
  if (!alert) return 'gone';
  const handled = await tx`
    select from handled_credits where merchant_id = ${merchantId} and alert_id = ${alertId} and ${settlesHandled(tx)}`;
  return alert.verdict === 'paid' || handled.length > 0 ? 'settled' : 'waits';
}

/** Of `handled_credits`, as the view `settled_references` has it: what the program attached by itself waits for a person. */
export function settlesHandled(sql: Queryable) {
  return sql`state <> 'open' and (state <> 'attached' or done_by <> 'milaan')`;
}

/** Whoever calls this has the alert's row locked, and it settles nothing. */
export async function freeClaims(sql: Queryable, { merchantId, alertId, since }: Holder): Promise<void> {
  await sql`delete from claimed_credits where merchant_id = ${merchantId} and alert_id = ${alertId} and since <= ${since}`;
}

export async function selectClaimKey(sql: Queryable): Promise<string | null> {
  const [row] = await sql<{ sealed: string }[]>`select sealed from claim_keys`;
  return row?.sealed ?? null;
}

/** Not where something was claimed: a new key would forget all of that. */
export async function insertClaimKey(sql: Queryable, sealed: string): Promise<void> {
  await sql`
    insert into claim_keys (merchant_id, sealed) select 0, ${sealed} where not exists (select from claimed_credits)
    on conflict do nothing`;
}
