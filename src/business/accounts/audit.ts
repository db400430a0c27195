import { createHash, randomBytes } from 'node:crypto';
import type { Transaction } from '../../base/database/connect.ts';
import { storable } from '../../base/http/text.ts';
import type { TextSet } from '../../texts/texts.ts';
import { type AuditRow, appendAudit, insertNote, lockAuditHead } from './queries/audit.ts';

export type AuditAction = keyof TextSet['audit'];

/** A name, or named facts. Facts are stored as JSON so that any language can word them. */
export type AuditDetails = string | Record<string, string>;

export type AuditEntry = {
  merchantId: number;
  at: Date;
  /** A mail address, `operator` for the command line, or `milaan` for the service. */
  actor: string;
  action: AuditAction;
  /** For example a key's id. Never a secret (R10). */
  subject: string;
  details?: AuditDetails;
  /** Text that somebody typed. Stored next to the immutable row, so that it can be erased. */
  words?: Record<string, string>;
  address?: string;
};

const mostText = 2000;
/** These actions stay possible while a business is being moved. */
const ofAMove: readonly AuditAction[] = ['business.export', 'business.delete', 'business.delete_cancel'];

/**
 * Writes an audit row in the change's transaction, so neither exists without the other. Each row contains the previous
 * row's hash. The lock on the head row keeps the chain from forking.
 */
export async function record(tx: Transaction, entry: AuditEntry): Promise<void> {
  // The business's rows are being moved. A change here would be lost there, together with its audit row.
  // A business that has left for another installation may still be read and closed here.
  if (!ofAMove.includes(entry.action))
    await tx`select refuse_moved(merchant_id) from merchants where merchant_id = ${entry.merchantId} and moved_at is not null and left_at is null`;
  const head = await lockAuditHead(tx, entry.merchantId);
  const words = written(Object.fromEntries(Object.entries(entry.words ?? {}).filter(([, text]) => text)));
  const salt = randomBytes(16);
  const isNoted = words !== '{}';
  const { details = isNoted ? {} : '' } = entry;
  const facts = typeof details === 'string' ? { details } : details;
  const row = {
    merchant_id: entry.merchantId,
    seq: head.seq + 1,
    at: entry.at,
    actor: storable(entry.actor, mostText),
    action: storable(entry.action, mostText),
    subject: storable(entry.subject, mostText),
    details: written(isNoted ? { ...facts, words: hashWords(salt, words) } : details),
    address: storable(entry.address ?? '', mostText),
    prior_hash: head.hash,
  };
  await appendAudit(tx, { ...row, hash: hashRow(row) });
  if (isNoted) await insertNote(tx, { merchant_id: row.merchant_id, seq: row.seq, salt, words });
}

/** The salt is erased with the words, so nobody can guess erased words from their hash. */
export function hashWords(salt: Buffer, words: string): string {
  return createHash('sha256').update(salt).update(words).digest('hex');
}

/** The hash covers the whole row and, through the previous hash, all earlier rows. */
export function hashRow(row: Omit<AuditRow, 'hash'>): Buffer {
  const { merchant_id, seq, at, actor, action, subject, details, address, prior_hash } = row;
  const parts = [merchant_id, seq, at.toISOString(), actor, action, subject, details, address];
  return createHash('sha256').update(JSON.stringify(parts)).update(prior_hash).digest();
}

function written(details: AuditDetails): string {
  if (typeof details === 'string') return storable(details, mostText);
  const facts = Object.entries(details).map(([name, fact]) => [name, storable(fact, mostText)]);
  return JSON.stringify(Object.fromEntries(facts));
}

/** Returns a row's facts and words; none if its details are plain text. */
export function readFacts({ details, words }: Pick<AuditRow, 'details' | 'words'>): Record<string, unknown> {
  try {
    const facts = details.startsWith('{') ? JSON.parse(details) : {};
    return { ...facts, ...JSON.parse(words ?? '{}') };
  } catch {
    return {};
  }
}
