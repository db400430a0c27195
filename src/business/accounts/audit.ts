import { createHash, randomBytes } from 'node:crypto';
import type { Transaction } from '../../base/database/connect.ts';
import { storable } from '../../base/http/text.ts';
import type { TextSet } from '../../texts/texts.ts';
import { type AuditRow, appendAudit, insertNote, lockAuditHead, refuseMovedInside } from './queries/audit.ts';

/** An action that has no words for people does not compile. */
export type AuditAction = keyof TextSet['audit'];

/** A name, or facts by their names: kept as JSON, so that no text is ever taken apart to be said in another language. */
export type AuditDetails = string | Record<string, string>;

export type AuditEntry = {
  merchantId: number;
  at: Date;
  /** Who: a mail address, `operator` for the command line, `milaan` for the service itself. */
  actor: string;
  /** What, such as `api_key.create`. */
  action: AuditAction;
  /** On what, such as the id of the key. Never a secret (R10). */
  subject: string;
  details?: AuditDetails;
  /** What somebody typed, which may be about a customer: kept beside the row, which can never change. */
  words?: Record<string, string>;
  address?: string;
};

const mostText = 2000;
/** What is done to a business that stands still. */
const ofAMove: readonly AuditAction[] = ['business.export', 'business.delete', 'business.delete_cancel'];

/**
 * Records who did what, in the transaction of the change: neither exists without the other. Each row carries the hash
 * of the one before; the head row is locked, so that the chain has no fork.
 */
export async function record(tx: Transaction, entry: AuditEntry): Promise<void> {
  // Its rows are on their way elsewhere: what is done here would be undone there, with its row in this log.
  if (!ofAMove.includes(entry.action)) await refuseMovedInside(tx, entry.merchantId);
  const head = await lockAuditHead(tx, entry.merchantId);
  const words = written(Object.fromEntries(Object.entries(entry.words ?? {}).filter(([, text]) => text)));
  const salt = randomBytes(16);
  const isNoted = words !== '{}';
  const row = {
    merchant_id: entry.merchantId,
    seq: head.seq + 1,
    at: entry.at,
    actor: storable(entry.actor, mostText),
    action: storable(entry.action, mostText),
    subject: storable(entry.subject, mostText),
    details: written(isNoted ? { ...factsOf(entry), words: hashWords(salt, words) } : (entry.details ?? '')),
    address: storable(entry.address ?? '', mostText),
    prior_hash: head.hash,
  };
  await appendAudit(tx, { ...row, hash: hashRow(row) });
  if (isNoted) await insertNote(tx, { merchant_id: row.merchant_id, seq: row.seq, salt, words });
}

function factsOf({ details = {} }: AuditEntry): Record<string, string> {
  return typeof details === 'string' ? { details } : details;
}

/** With a salt that goes with the words: nobody guesses them once they are gone. */
export function hashWords(salt: Buffer, words: string): string {
  return createHash('sha256').update(salt).update(words).digest('hex');
}

/** What a row's hash covers: everything in it, and through the prior hash everything before it. */
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

/** The facts of a row, with the words beside it; a row whose details are a plain text has none. */
export function readFacts({ details, words }: Pick<AuditRow, 'details' | 'words'>): Record<string, unknown> {
  try {
    const facts = details.startsWith('{') ? JSON.parse(details) : {};
    return { ...facts, ...JSON.parse(words ?? '{}') };
  } catch {
    return {};
  }
}
