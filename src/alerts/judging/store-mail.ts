import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { deflate, deflateSync } from 'node:zlib';
import type { Queryable } from '../../base/database/connect.ts';
import { because } from '../../texts/verdicts.ts';
import { addressArray } from '../addresses/queries/addresses.ts';
import { keptHeadBytes, mostMailBytes } from '../mail/limits.ts';
import { alertChannel } from '../queries.ts';
import type { Claimed } from './queries/claims.ts';
import type { WorkerSlot, WorkerSlots } from './start-judging.ts';

export type ArrivedMail = {
  merchantId: number;
  raw: Buffer;
  /** The mail's true size if only its head was fetched. */
  size?: number;
  arrivedAt: Date;
  /** When to judge it, by our own clock; by default at its arrival. */
  dueAt?: Date;
  /** The place where it was found, for people: folder, UIDVALIDITY and UID. */
  foundIn: string;
};

export type StoredMail = { alertId: string; isNew: boolean };
export type StoreMail = (sql: Queryable, mail: ArrivedMail) => Promise<StoredMail>;

/** Small mails are compressed here, as a worker costs more. Level 3 needs a tenth of the time for most of the gain. */
const smallBytes = 64 * 1024;
const quickly = { level: 3 };

/**
 * The process that stores a mail also judges it, from memory, if a slot is free. `work` stores mails, in a transaction
 * or not, and judging starts after it. Without a free slot, the commit wakes the other judges.
 */
export async function storeMails<T>(
  workerSlots: WorkerSlots | null,
  work: (store: StoreMail) => Promise<T>,
): Promise<T> {
  const slots: WorkerSlot[] = [];
  const begins: (() => void)[] = [];
  try {
    const result = await work(async (sql, mail) => {
      const slot = isTooLarge(mail) ? null : (workerSlots?.offer(mail.merchantId) ?? null);
      if (slot) slots.push(slot);
      const stored = await insertMail(sql, mail, slot);
      const { alert } = stored;
      if (slot && alert) begins.push(() => slot.judge(alert));
      else slot?.leave();
      return stored;
    });
    for (const begin of begins) begin();
    return result;
  } finally {
    for (const slot of slots) slot.leave();
  }
}

/**
 * Gate 1: a mail is stored before anything is decided. Its id comes from the business and the bytes. So the same mail,
 * found in another folder or after a crash, is the same alert and changes nothing. The commit wakes the judges.
 */
export async function storeMail(sql: Queryable, mail: ArrivedMail): Promise<StoredMail> {
  const { alertId, isNew } = await insertMail(sql, mail, null);
  return { alertId, isNew };
}

/** Stores all in one statement. With a slot, the row is claimed at once; after a crash the claim lasts for seconds. */
async function insertMail(
  sql: Queryable,
  mail: ArrivedMail,
  slot: WorkerSlot | null,
): Promise<StoredMail & { alert: Claimed | null }> {
  const { merchantId, raw, size = raw.length, arrivedAt, dueAt = arrivedAt, foundIn } = mail;
  const alertId = alertIdOf(merchantId, raw);
  const tooLarge = isTooLarge(mail);
  const bytes = tooLarge ? raw.subarray(0, keptHeadBytes) : raw;
  const kept =
    bytes.length <= smallBytes ? deflateSync(bytes, quickly) : await promisify(deflate)(bytes, quickly);
  const { claim = null, until = null } = slot?.lease ?? {};
  const [row] = await sql<{ addresses: string[] }[]>`
    with fresh as (
      insert into alerts (merchant_id, alert_id, raw_bytes, arrived_at, found_in, verdict, reason_code, judged_at, next_try_at,
        addresses, arrival_epoch, purse, kept_bytes, claim, leased_until, tries)
      select b.merchant_id, ${alertId}, ${size}::int, ${arrivedAt}::timestamptz, ${foundIn},
        ${tooLarge ? 'unreadable' : 'unjudged'}, ${tooLarge ? tooLargeReason.code : null},
        ${tooLarge ? arrivedAt : null}::timestamptz, ${tooLarge ? null : dueAt}::timestamptz, ${addressArray(sql, merchantId)},
        case when m.moved_at is null then m.arrival_epoch else stop_if_moved(m.moved_at) end,
        ${tooLarge ? 'stranger' : null}, ${tooLarge ? kept.length : null}::int, ${claim}, ${until}::timestamptz, ${slot ? 1 : 0}::int
      from (select ${merchantId}::bigint as merchant_id) b left join merchants m on m.merchant_id = b.merchant_id
      on conflict (merchant_id, alert_id) do nothing
      returning merchant_id, alert_id, arrived_at, addresses
    ), bytes as (
      insert into raw_mails (merchant_id, alert_id, arrived_at, raw)
      select merchant_id, alert_id, arrived_at, ${kept}::bytea from fresh
    )
    select addresses${slot || tooLarge ? sql`` : sql`, pg_notify(${alertChannel}, '')`} from fresh`;
  if (!row || !claim) return { alertId, isNew: row !== undefined, alert: null };
  const alert: Claimed = {
    merchant_id: merchantId,
    alert_id: alertId,
    claim,
    arrived_at: arrivedAt,
    found_in: foundIn,
    raw: kept,
    whole: raw,
    verdict: 'unjudged',
    tries: 1,
    addresses: row.addresses,
    doubted_at: null,
  };
  return { alertId, isNew: true, alert };
}

const tooLargeReason = because('mail_too_large');

function isTooLarge({ raw, size = raw.length }: ArrivedMail): boolean {
  return size > mostMailBytes || raw.length > mostMailBytes;
}

function alertIdOf(merchantId: number, raw: Buffer): string {
  return `al_${createHash('sha256').update(`${merchantId}\n`).update(raw).digest('hex').slice(0, 40)}`;
}
