import type { Transaction } from '../../base/database/connect.ts';
import { hasMail } from '../../base/network/parse-mail-address.ts';
import { randomBase62 } from '../../base/random.ts';
import type { World } from '../../base/world.ts';
import { notifyOwner } from '../../outbox/notices/notify-owner.ts';
import { because, type Reason } from '../../texts/verdicts.ts';
import { type AuditAction, type AuditDetails, record } from './audit.ts';

export type Actor = {
  merchantId: number;
  actor: string;
  address: string;
  now: Date;
};

export type AuditedChange = {
  action: AuditAction;
  /** The changed thing's id or name. Never a secret (R10). */
  subject: string;
  details?: AuditDetails;
  words?: Record<string, string>;
  /** Notifies the owner of a dangerous change, on the dashboard and by mail. */
  notice?: Reason;
  /** False if the caller sends the mail itself. */
  isMailed?: boolean;
};

/** Business 0 is the installation, which has no owner to notify. */
export const installation = 0;

/** The operator's command line as the actor. */
export function byOperator({ clock }: Pick<World, 'clock'>, merchantId: number): Actor {
  return { merchantId, actor: 'operator', address: '', now: clock.now() };
}

/** Writes an operator's change to the installation's log and to the business's log, which its owner reads. */
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

/** Call in the change's transaction, so that audit row, notice and change exist together or not at all. */
export async function recordAudit(
  tx: Transaction,
  { merchantId, actor, address, now }: Actor,
  audited: AuditedChange,
): Promise<void> {
  const { action, subject, details = '', words = {}, notice, isMailed } = audited;
  await record(tx, { merchantId, at: now, actor, action, subject, details, words, address });
  if (notice === undefined || merchantId === installation) return;
  const by = hasMail(actor) ? actor : await nameCashier(tx, merchantId, actor);
  const named = Object.entries(notice.facts).map(([name, fact]) => [name, fact === actor ? by : fact]);
  const change = { ...notice, facts: Object.fromEntries(named) } as Reason;
  await notifyOwner(tx, {
    merchantId,
    // A change by the service itself was not made in the owner's name.
    ...(actor === 'milaan' && address === ''
      ? { kind: 'done', facts: { deed: change, at: now } }
      : {
          kind: 'deed',
          facts: { deed: change, by, at: now, from: address || because('command_line') },
        }),
    dedupeKey: `${action} ${randomBase62(16)}`,
    now,
    ...(isMailed === false && { mailAt: null }),
  });
}

/** The role behind the name keeps it from passing for somebody else's. */
async function nameCashier(tx: Transaction, merchantId: number, email: string): Promise<Reason> {
  const name = await tx<{ name: string }[]>`
    select name from users where merchant_id = ${merchantId} and email = ${email}`.value();
  return because('by_cashier', { name: name ?? '' });
}
