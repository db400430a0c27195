import { createHash } from 'node:crypto';
import type { Transaction } from '../../base/database/connect.ts';
import { storable } from '../../base/http/text.ts';
import type { TextSet } from '../../texts/texts.ts';
import { type AuditRow, appendAudit, lockAuditHead } from './queries/audit.ts';

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
  address?: string;
};

const mostText = 2000;

/**
 * Records who did what, in the transaction of the change: neither exists without the other. Each row carries the hash
 * of the one before; the head row is locked, so that the chain has no fork.
 */
export async function record(tx: Transaction, entry: AuditEntry): Promise<void> {
  const head = await lockAuditHead(tx, entry.merchantId);
  const row = {
    merchant_id: entry.merchantId,
    seq: head.seq + 1,
    at: entry.at,
    actor: storable(entry.actor, mostText),
    action: storable(entry.action, mostText),
    subject: storable(entry.subject, mostText),
    details: written(entry.details ?? ''),
    address: storable(entry.address ?? '', mostText),
    prior_hash: head.hash,
  };
  await appendAudit(tx, { ...row, hash: hashRow(row) });
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

/** The facts of a row; a row whose details are a plain text has none. */
export function readFacts(details: string): Record<string, unknown> {
  try {
    return details.startsWith('{') ? JSON.parse(details) : {};
  } catch {
    return {};
  }
}
