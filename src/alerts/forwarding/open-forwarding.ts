import type { Transaction } from '../../base/database/connect.ts';
import { lockMerchant } from '../../business/merchants/queries.ts';
import { newForwardAddress } from '../addresses/forward-address.ts';
import { beginProbing } from '../addresses/queries/addresses.ts';
import { disconnectMailbox } from '../mailboxes/connect-mailbox.ts';
import { lockUnlessLeaving, selectLastAwaited } from '../mailboxes/queries/settings.ts';
import {
  deleteForwardRequests,
  endForwarding,
  insertForwarding,
  readOpenForwarding,
} from './queries/forwarding.ts';
import { endProbing } from './queries/probes.ts';

type Opening = { merchantId: number; mailDomain: string; now: Date };

/** Returns the business's forwarding address, the existing one or a new one. Null while the business is leaving. */
export async function openForwarding(tx: Transaction, { merchantId, mailDomain, now }: Opening) {
  await lockMerchant(tx, merchantId);
  const known = await readOpenForwarding(tx, merchantId);
  if (known) return known.address;
  if (!(await lockUnlessLeaving(tx, merchantId))) return null;
  const address = newForwardAddress(mailDomain);
  await insertForwarding(tx, { merchantId, address, now });
  await beginProbing(tx, merchantId, { address: null, seen: false, now });
  return address;
}

/** Replaces an address that somebody else has learnt. */
export async function replaceForwarding(tx: Transaction, opening: Opening): Promise<string | null> {
  await lockMerchant(tx, opening.merchantId);
  if (!(await closeForwarding(tx, opening.merchantId, opening.now))) return null;
  return await openForwarding(tx, opening);
}

/** Returns the address that was given up. It takes mail until the last open order's time is over. */
export async function closeForwarding(tx: Transaction, merchantId: number, now: Date) {
  const address = await endForwarding(tx, merchantId, await selectLastAwaited(tx, merchantId, now));
  if (address === null) return null;
  await endProbing(tx, merchantId);
  await deleteForwardRequests(tx, merchantId);
  return address;
}

/** A business leaves: its mailbox is disconnected, and its address takes no more mail. */
export async function stopReading(tx: Transaction, merchantId: number, now: Date): Promise<void> {
  await disconnectMailbox(tx, merchantId, now);
  await closeForwarding(tx, merchantId, now);
}
