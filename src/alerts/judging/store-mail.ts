import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { deflate } from 'node:zlib';
import type { Transaction } from '../../base/database/connect.ts';
import { because } from '../../texts/verdicts.ts';
import { addressArray } from '../addresses/alert-addresses.ts';
import { keptHeadBytes, mostMailBytes } from '../mail/limits.ts';

/** Wakes the judges. */
export const alertChannel = 'alerts';

export type ArrivedMail = {
  merchantId: number;
  raw: Buffer;
  /** The mail's true size where only its head was fetched. */
  size?: number;
  arrivedAt: Date;
  /** When it is to be judged, by our own clock; at its arrival, unless something else is said. */
  dueAt?: Date;
  /** Where it was found, for people: folder, UIDVALIDITY and UID. */
  foundIn: string;
};

export type StoredMail = { alertId: string; isNew: boolean };

/**
 * Gate 1: stored before anything is decided. The id is derived from the business and the bytes, so the same mail found
 * again, in another folder or after a crash, is the same alert and changes nothing. Judging is woken by the commit.
 */
export async function storeMail(
  tx: Transaction,
  { merchantId, raw, size = raw.length, arrivedAt, dueAt = arrivedAt, foundIn }: ArrivedMail,
): Promise<StoredMail> {
  const alertId = alertIdOf(merchantId, raw);
  const tooLarge = size > mostMailBytes || raw.length > mostMailBytes;
  const kept = await promisify(deflate)(tooLarge ? raw.subarray(0, keptHeadBytes) : raw);
  const rows = await tx`
    with fresh as (
      insert into alerts (merchant_id, alert_id, raw_bytes, arrived_at, found_in, verdict, reason_code, judged_at, next_try_at,
        addresses, arrival_epoch, purse, kept_bytes)
      values (${merchantId}, ${alertId}, ${size}, ${arrivedAt}, ${foundIn},
        ${tooLarge ? 'unreadable' : 'unjudged'}, ${tooLarge ? tooLargeReason.code : null},
        ${tooLarge ? arrivedAt : null}, ${tooLarge ? null : dueAt}, ${addressArray(tx, merchantId)},
        (select m.arrival_epoch from merchants m where m.merchant_id = ${merchantId}),
        ${tooLarge ? 'stranger' : null}, ${tooLarge ? kept.length : null})
      on conflict (merchant_id, alert_id) do nothing
      returning merchant_id, alert_id, arrived_at
    )
    insert into raw_mails (merchant_id, alert_id, arrived_at, raw)
    select merchant_id, alert_id, arrived_at, ${kept}::bytea from fresh
    returning alert_id`;
  if (rows.length === 1 && !tooLarge) await tx.notify(alertChannel, '');
  return { alertId, isNew: rows.length === 1 };
}

const tooLargeReason = because('mail_too_large');

function alertIdOf(merchantId: number, raw: Buffer): string {
  return `al_${createHash('sha256').update(`${merchantId}\n`).update(raw).digest('hex').slice(0, 40)}`;
}
