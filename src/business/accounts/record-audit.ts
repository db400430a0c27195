import type { Transaction } from '../../base/database/connect.ts';
import { randomBase62 } from '../../base/random.ts';
import type { World } from '../../base/world.ts';
import { notifyOwner } from '../../outbox/notices/notify-owner.ts';
import { because, type Reason } from '../../texts/verdicts.ts';
import { type AuditAction, type AuditDetails, record } from './audit.ts';

export type Actor = {
  merchantId: number;
  /** A mail address; `operator` for the command line, `milaan` for the service itself. */
  actor: string;
  address: string;
  now: Date;
};

export type AuditedChange = {
  /** Such as `api_key.revoke`. */
  action: AuditAction;
  /** What was changed, by its id or name. Never a secret (R10). */
  subject: string;
  details?: AuditDetails;
  /** What somebody typed about a customer. */
  words?: Record<string, string>;
  /** For the owner, where the change is dangerous: told on the dashboard and by mail. */
  notice?: Reason;
  /** False: the caller mails them itself. */
  isMailed?: boolean;
};

/** Business 0 is the installation itself, which has no owner to tell. */
export const installation = 0;

/** The operator at the command line, in the log of a business or of the installation. */
export function byOperator({ clock }: Pick<World, 'clock'>, merchantId: number): Actor {
  return { merchantId, actor: 'operator', address: '', now: clock.now() };
}

/** What an operator does to a business is in the installation's log and in the business's own, which its owner reads. */
export async function recordAuditInBoth(
  tx: Transaction,
  operator: Omit<Actor, 'merchantId'>,
  merchantId: number,
  audited: Omit<AuditedChange, 'subject'> & { subject?: string },
): Promise<void> {
  const entry = { subject: String(merchantId), ...audited };
  const actor = operator.actor === 'operator' ? 'operator' : `operator ${operator.actor}`;
  await recordAudit(tx, { ...operator, merchantId: installation }, entry);
  await recordAudit(tx, { ...operator, merchantId, actor }, entry);
}

/** Call in the transaction of the change: the audit row and the owner's notice exist exactly when the change does. */
export async function recordAudit(
  tx: Transaction,
  { merchantId, actor, address, now }: Actor,
  audited: AuditedChange,
): Promise<void> {
  const { action, subject, details = '', words = {}, notice, isMailed } = audited;
  await record(tx, { merchantId, at: now, actor, action, subject, details, words, address });
  if (notice === undefined || merchantId === installation) return;
  await notifyOwner(tx, {
    merchantId,
    // What the service did by itself is nothing that somebody could have done in their name.
    ...(actor === 'milaan' && address === ''
      ? { kind: 'done', facts: { deed: notice, at: now } }
      : {
          kind: 'deed',
          facts: { deed: notice, by: actor, at: now, from: address || because('command_line') },
        }),
    dedupeKey: `${action} ${randomBase62(16)}`,
    now,
    ...(isMailed === false && { mailAt: null }),
  });
}
