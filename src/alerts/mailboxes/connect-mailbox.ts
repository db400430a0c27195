import type { Transaction } from '../../base/database/connect.ts';
import type { World } from '../../base/world.ts';
import { takeName } from '../../business/accounts/taken-names.ts';
import { because } from '../../texts/verdicts.ts';
import { addressIsTaken } from '../addresses/queries/addresses.ts';
import { credentialPlace } from './open-login.ts';
import { mailboxChannel } from './queries/leases.ts';
import { holdStaying, upsertMailbox } from './queries/settings.ts';
import type { MailboxSettings, ReadSettings } from './read-settings.ts';
import { type Tested, type TestOptions, testConnection } from './test-connection.ts';

export type ConnectOptions = TestOptions & {
  /** Who did it, written down in the transaction of the change itself. */
  record?: (tx: Transaction, settings: ReadSettings) => Promise<void>;
};

/**
 * Connects a business's mailbox, or changes its settings: tried first, stored only when it works. The watchers hear
 * of it at once. An address belongs to one business, because payable amounts are unique within one business only.
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
    // The trial takes seconds, in which an owner may have asked for the end: then no password is kept.
    if (!(await holdStaying(tx, merchantId))) return null;
    // Two businesses naming one address at the same moment take turns.
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
