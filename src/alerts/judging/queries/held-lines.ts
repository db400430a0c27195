import type { Queryable, Transaction } from '../../../base/database/connect.ts';
import type { Known } from '../judge-mail.ts';

/** At most this many lines of one bank wait for the operator. Mails with further lines are held too. */
const mostOpen = 100;

/**
 * Records the line that holds a mail, once for all such mails. Null if something else is wrong, or if enough lines
 * wait. Only mails that the bank signed to one of our businesses get this far.
 */
export async function noteHeldLine(
  tx: Transaction,
  { bankId: bank = null, unlistedLine: line = null, surroundings = null }: HeldMail,
  now: Date,
): Promise<number | null> {
  if (bank === null || line === null) return null;
  const [row] = await tx<{ line_id: number }[]>`
    with known as (
      select line_id from held_lines where bank = ${bank} and md5(line) = md5(${line}::text) and line = ${line}
    ), added as (
      insert into held_lines (bank, line, surroundings, first_seen)
      select ${bank}::text, ${line}::text, ${surroundings ?? ''}::text, ${now}::timestamptz
      where not exists (select from known)
        and (select count(*) from held_lines where bank = ${bank} and settled_at is null) < ${mostOpen}
      on conflict (bank, md5(line)) do update set line = held_lines.line
      returning line_id
    )
    select line_id from known union all select line_id from added`;
  return row?.line_id ?? null;
}

export async function isOwnBank(tx: Transaction, merchantId: number, bank: string): Promise<boolean> {
  const rows = await tx`
    select from upi_accounts where merchant_id = ${merchantId} and bank = ${bank} and removed_at is null limit 1`;
  return rows.length === 1;
}

export async function countOpenLines(sql: Queryable): Promise<number> {
  const [row] = await sql<{ count: number }[]>`
    select count(*) as count from held_lines where settled_at is null`;
  return row!.count;
}

type BankLine = { bank: string; line: string };

/** Null if the line was already decided. */
export async function lockOpenLine(tx: Transaction, lineId: number): Promise<BankLine | null> {
  const [row] = await tx<BankLine[]>`
    select bank, line from held_lines where line_id = ${lineId} and settled_at is null for update`;
  return row ?? null;
}

export async function decideLine(tx: Transaction, lineId: number, now: Date): Promise<void> {
  await tx`update held_lines set settled_at = ${now} where line_id = ${lineId}`;
}

/** Claims all lines that were not mailed to operators yet, unless others were mailed after `notSince`. */
export function claimUnmailedLines(tx: Transaction, now: Date, notSince: Date) {
  return tx<BankLine[]>`
    update held_lines set mailed_at = ${now}
    where mailed_at is null and settled_at is null
      and not exists (select from held_lines where mailed_at > ${notSince})
    returning bank, line`;
}

/** The known facts of an unread mail; any of them may be missing. */
export type HeldMail = Partial<
  Pick<Known, 'bankId' | 'bankName' | 'recipient' | 'unlistedLine' | 'surroundings'>
>;
