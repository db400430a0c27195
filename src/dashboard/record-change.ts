import { record } from '../accounts/audit.ts';
import type { Transaction } from '../database/connect.ts';
import { notifyOwner } from '../notices/notify-owner.ts';
import { randomBase62 } from '../random.ts';
import type { Visit } from './route.ts';

export type Change = {
  /** Such as `api_key.revoke`. */
  action: string;
  /** What was changed, by its id or name. Never a secret (R10). */
  subject: string;
  details?: string;
  /** One English sentence for the owner, where the change is dangerous: told on the dashboard and by mail. */
  notice?: string;
};

/** Call in the transaction of the change: the audit row and the owner's notice exist exactly when the change does. */
export async function recordChange(tx: Transaction, visit: Visit, change: Change): Promise<void> {
  const { merchantId, user, now, address } = visit;
  const { action, subject, details = '', notice } = change;
  await record(tx, { merchantId, at: now, actor: user.email, action, subject, details, address });
  if (notice === undefined || user.role === 'operator') return;
  await notifyOwner(tx, {
    merchantId,
    kind: action,
    subject: notice,
    text:
      `${notice}\n\nBy: ${user.email}\nAt: ${now.toISOString()}\nFrom: ${address}\n\n` +
      'If nobody in your business did this, sign in, end all other sessions under "Your account", change the ' +
      'password, and undo the change.',
    dedupeKey: `${action} ${randomBase62(16)}`,
    now,
  });
}
