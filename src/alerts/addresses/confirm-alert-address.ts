import type { Transaction } from '../../base/database/connect.ts';
import { isAmong, type SecretBox } from '../../base/secrets.ts';
import type { World } from '../../base/world.ts';
import { takeName } from '../../business/accounts/taken-names.ts';
import { headerOf } from '../mail/split-headers.ts';
import {
  addressIsTaken,
  beginProbing,
  countWrongCode,
  type ExtraAddressRow,
  lockExtraAddresses,
  markConfirmed,
} from './queries/addresses.ts';

/** This allows 5 guesses at 100 million codes, three times a day. */
const mostWrongCodes = 5;

type ConfirmWorld = Pick<World, 'clock' | 'secrets' | 'cells' | 'cell'>;

type ConfirmedAddress =
  | { outcome: 'confirmed'; address: string }
  | { outcome: 'wrong_code' }
  | { outcome: 'taken'; address: string };

export async function confirmAlertAddress(
  tx: Transaction,
  world: ConfirmWorld,
  merchantId: number,
  typed: string,
): Promise<ConfirmedAddress> {
  const { clock, secrets } = world;
  const code = typed.replace(/\s/g, '');
  const now = clock.now();
  const open = await openCodes(tx, merchantId, now);
  const row = open.find(one => isAmong(codeHashes(secrets, merchantId, one.address, code), one.code_hash!));
  if (!row) {
    if (open.length > 0) {
      const addresses = open.map(one => one.address);
      await countWrongCode(tx, merchantId, addresses, mostWrongCodes);
    }
    return { outcome: 'wrong_code' };
  }
  return await confirm(tx, world, merchantId, row, { now, forwarded: false });
}

/**
 * Confirms an address when its code mail comes back, into the connected mailbox or `forwarded` to us, no matter who
 * forwarded it. Only the mail to that address carries this proof, so mail to the address does reach us. Returns null if
 * the mail carries no proof.
 */
export async function confirmByProof(
  tx: Transaction,
  world: ConfirmWorld,
  merchantId: number,
  raw: Buffer,
  { forwarded }: { forwarded: boolean },
): Promise<ConfirmedAddress | null> {
  const { clock, secrets } = world;
  const now = clock.now();
  const row = (await openCodes(tx, merchantId, now)).find(({ code_hash }) =>
    carriesProof(secrets, raw, code_hash!),
  );
  return row ? await confirm(tx, world, merchantId, row, { now, forwarded }) : null;
}

async function openCodes(tx: Transaction, merchantId: number, now: Date): Promise<ExtraAddressRow[]> {
  return (await lockExtraAddresses(tx, merchantId)).filter(
    row => row.code_hash !== null && row.code_expires_at !== null && row.code_expires_at > now,
  );
}

async function confirm(
  tx: Transaction,
  world: ConfirmWorld,
  merchantId: number,
  { address }: ExtraAddressRow,
  { now, forwarded }: { now: Date; forwarded: boolean },
): Promise<ConfirmedAddress> {
  await tx`select pg_advisory_xact_lock(hashtextextended(${address}, 0))`;
  if (await addressIsTaken(tx, merchantId, address)) return { outcome: 'taken', address };
  if (!(await takeName(tx, world, 'alert_address', address, merchantId)))
    return { outcome: 'taken', address };
  await markConfirmed(tx, merchantId, address, now);
  await beginProbing(tx, merchantId, { address, seen: forwarded, now });
  return { outcome: 'confirmed', address };
}

export const codeLength = 8;

/** Keyed, so that a stolen table does not reveal eight digits. Uses every key of the ring, newest first. */
export function codeHashes(secrets: SecretBox, merchantId: number, address: string, code: string): Buffer[] {
  return secrets.signatures('alert address code', `${merchantId}\n${address}\n${code}`);
}

export const proofHeader = 'X-Milaan-Proof';

/**
 * This proof is sent with a code. A person who knows a forwarding address can send it any number of guessed codes. A
 * proof has 256 bits, so wrong ones need no counter, and an attacker cannot use up the owner's tries.
 */
export function codeProof(secrets: SecretBox, codeHash: Buffer): string {
  return proofs(secrets, codeHash)[0]!.toString('hex');
}

function carriesProof(secrets: SecretBox, raw: Buffer, codeHash: Buffer): boolean {
  const given = headerOf(raw, proofHeader);
  if (given === null || !/^[0-9a-f]{64}$/.test(given)) return false;
  return isAmong(proofs(secrets, codeHash), Buffer.from(given, 'hex'));
}

function proofs(secrets: SecretBox, codeHash: Buffer): Buffer[] {
  return secrets.signatures('alert address proof', codeHash.toString('hex'));
}
