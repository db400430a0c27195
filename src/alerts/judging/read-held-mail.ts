import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { inflate } from 'node:zlib';
import type { Queryable } from '../../base/database/connect.ts';
import type { World } from '../../base/world.ts';
import type { Reason } from '../../texts/verdicts.ts';
import type { Bank } from '../banks/bank.ts';
import type { KeySource } from '../origin/key-source.ts';
import { isReadingDoubt, type Offer } from '../reading/offer-figures.ts';
import { judgeMail } from './judge-mail.ts';
import { type HeldAlert, selectHeldAlert } from './queries/held-mails.ts';

export type HeldReading = {
  readonly alert: HeldAlert;
  readonly reason: Reason;
  readonly offer: Offer;
  /** Of all that was shown: whoever decides must have seen this very thing. */
  readonly seal: string;
};

/**
 * A mail that the own bank signed to this business and that is held for a doubt of its reading alone, proved once more
 * by the keys of its time, with what a person may choose from. Null for any other: where the origin, the recipient or
 * the account is in doubt nobody can accept it (R16).
 */
export async function readHeldMail(
  { sql, banks }: Pick<World, 'sql' | 'banks'>,
  merchantId: number,
  alertId: string,
  now: Date,
): Promise<HeldReading | null> {
  const alert = await selectHeldAlert(sql as Queryable, merchantId, alertId, now);
  if (alert?.raw == null) return null;
  const raw = await promisify(inflate)(alert.raw).catch(() => null);
  if (raw === null) return null;
  for (const record of alert.key_records) {
    const read = await readOffer(raw, banks.current(), alert, record);
    if (read === null) continue;
    const shown = JSON.stringify([alert.alert_id, read.offer]);
    return { alert, ...read, seal: createHash('sha256').update(shown).digest('hex') };
  }
  return null;
}

/** The same question for `verify`, of bytes and a key that were seen. */
export async function readOffer(
  raw: Buffer,
  banks: readonly Bank[],
  {
    recipient,
    arrived_at: arrivedAt,
    signature_id,
  }: Pick<HeldAlert, 'recipient' | 'arrived_at' | 'signature_id'>,
  record: string,
): Promise<{ reason: Reason; offer: Offer } | null> {
  const keys: KeySource = async () => ({ kind: 'found', record });
  const judged = await judgeMail(raw, { banks, addresses: [recipient], arrivedAt, now: arrivedAt, keys });
  if (judged.verdict !== 'unreadable' || judged.recipient === null || judged.alertTime === null) return null;
  if (judged.signatureId !== signature_id || !isReadingDoubt(judged.reason.code) || !judged.offer)
    return null;
  return { reason: judged.reason, offer: judged.offer };
}
