import { timingSafeEqual } from 'node:crypto';
import type { Transaction } from '../database/connect.ts';
import type { World } from '../world.ts';
import { codeHashes, codeInSubject, codeLength } from './address-code.ts';
import {
  countWrongCode,
  type ExtraAddressRow,
  lockExtraAddresses,
  markConfirmed,
} from './queries/addresses.ts';
import { addressIsTaken } from './queries/settings.ts';

/** 5 guesses at 100 million codes, three times a day. */
const mostWrongCodes = 5;

export type ConfirmedAddress =
  | { outcome: 'confirmed'; address: string }
  | { outcome: 'wrong_code' }
  | { outcome: 'taken'; address: string };

/** The code typed back by the merchant. */
export async function confirmAlertAddress(
  tx: Transaction,
  world: Pick<World, 'clock' | 'secrets'>,
  merchantId: number,
  typed: string,
): Promise<ConfirmedAddress> {
  return await useCode(tx, world, merchantId, typed.replace(/\s/g, ''));
}

/** The code found in a mail that reached the connected mailbox. A forged sender gains nothing: the code is the proof. */
export async function confirmByMail(
  tx: Transaction,
  world: Pick<World, 'clock' | 'secrets'>,
  merchantId: number,
  raw: Buffer,
): Promise<void> {
  const code = codeInSubject(raw);
  if (code !== null) await useCode(tx, world, merchantId, code);
}

async function useCode(
  tx: Transaction,
  { clock, secrets }: Pick<World, 'clock' | 'secrets'>,
  merchantId: number,
  code: string,
): Promise<ConfirmedAddress> {
  const now = clock.now();
  const open = (await lockExtraAddresses(tx, merchantId)).filter(
    row => row.code_hash !== null && row.code_expires_at !== null && row.code_expires_at > now,
  );
  const form = new RegExp(`^\\d{${codeLength}}$`);
  const row = form.test(code)
    ? open.find(one => fits(one, codeHashes(secrets, merchantId, one.address, code)))
    : null;
  if (!row) {
    if (open.length > 0) {
      const addresses = open.map(one => one.address);
      await countWrongCode(tx, merchantId, addresses, mostWrongCodes);
    }
    return { outcome: 'wrong_code' };
  }
  await tx`select pg_advisory_xact_lock(hashtextextended(${row.address}, 0))`;
  if (await addressIsTaken(tx, merchantId, row.address)) return { outcome: 'taken', address: row.address };
  await markConfirmed(tx, merchantId, row.address, now);
  return { outcome: 'confirmed', address: row.address };
}

function fits({ code_hash }: ExtraAddressRow, hashes: readonly Buffer[]): boolean {
  return hashes.some(hash => code_hash?.length === hash.length && timingSafeEqual(hash, code_hash));
}
