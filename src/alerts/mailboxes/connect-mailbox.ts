import type { Transaction } from '../../base/database/connect.ts';
import type { World } from '../../base/world.ts';
import { takeName } from '../../business/accounts/taken-names.ts';
import { because } from '../../texts/verdicts.ts';
import { addressIsTaken, beginProbing } from '../addresses/queries/addresses.ts';
import { credentialPlace } from './open-login.ts';
import { mailboxChannel } from './queries/leases.ts';
import {
  deleteEndedMailboxes,
  deleteMailbox,
  lockUnlessLeaving,
  selectLastAwaited,
  setReadUntil,
  upsertMailbox,
} from './queries/settings.ts';
import type { MailboxSettings, ReadSettings } from './read-settings.ts';
import { type Tested, type TestOptions, testConnection } from './test-connection.ts';

export type ConnectOptions = TestOptions & {
  /** Writes the audit entry in the transaction of the change. */
  record?: (tx: Transaction, settings: ReadSettings) => Promise<void>;
};

/**
 * Connects a business's mailbox or changes its settings. They are stored only after a successful trial, and the
 * watchers are notified at once. One address has one business, because payable amounts are unique only within one.
 */
export async function connectMailbox(
  world: Pick<World, 'sql' | 'clock' | 'dns' | 'config' | 'secrets' | 'mailServices' | 'cells' | 'cell'>,
  merchantId: number,
  typed: MailboxSettings,
  options: ConnectOptions = {},
): Promise<Tested> {
  const tested = await testConnection(world, typed, options);
  if (!tested.ok) return tested;
  const { settings } = tested;
  const credential = world.secrets.seal(JSON.stringify(settings.credential), credentialPlace(merchantId));
  const stored = await world.sql.begin(async tx => {
    // The trial takes seconds. If the owner asked to leave in that time, no password is stored.
    if (!(await lockUnlessLeaving(tx, merchantId))) return null;
    // Two businesses that name one address at the same moment take turns.
    await tx`select pg_advisory_xact_lock(hashtextextended(${settings.address}, 0))`;
    if (await addressIsTaken(tx, merchantId, settings.address)) return false;
    if (!(await takeName(tx, world, 'alert_address', settings.address, merchantId))) return false;
    await upsertMailbox(tx, {
      ...settings,
      merchant_id: merchantId,
      credential,
      extra_folders: settings.extraFolders,
      connected_at: world.clock.now(),
    });
    await options.record?.(tx, settings);
    await tx.notify(mailboxChannel, 'changed');
    return true;
  });
  if (stored) return tested;
  return {
    ok: false,
    kind: 'settings',
    reason: stored === null ? because('business_leaving') : because('address_taken'),
  };
}

/**
 * Deletes the mailbox, its credential and its positions; stored alerts stay. While a customer may be paying, it is
 * read until the last open order's time is over (`endMailboxes`), so that the payment is confirmed. Null if there is
 * no mailbox. `readUntil` is null if no order can still be paid. Then the mailbox is already deleted.
 */
export async function disconnectMailbox(tx: Transaction, merchantId: number, now: Date) {
  const readUntil = await selectLastAwaited(tx, merchantId, now);
  const was = readUntil ? await setReadUntil(tx, merchantId, readUntil) : await deleteMailbox(tx, merchantId);
  // From now on mail comes only through the forwarding, if there is one.
  await beginProbing(tx, merchantId, { address: null, seen: true, now });
  await tx.notify(mailboxChannel, 'changed');
  return was ? { readUntil } : null;
}

/** Deletes mailboxes that were disconnected while orders were open, once none of those can be paid any more. */
export async function endMailboxes({ sql, clock, log }: Pick<World, 'sql' | 'clock' | 'log'>): Promise<void> {
  for (const merchantId of await deleteEndedMailboxes(sql, clock.now())) {
    log.info({ merchantId }, 'a disconnected mailbox was deleted after its last open order');
  }
}
