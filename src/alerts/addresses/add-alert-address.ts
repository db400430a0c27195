import { day, hour, later } from '../../base/clock.ts';
import type { Transaction } from '../../base/database/connect.ts';
import { parseMailAddress } from '../../base/network/parse-mail-address.ts';
import { randomDigits } from '../../base/random.ts';
import type { World } from '../../base/world.ts';
import { lockMerchant } from '../../business/merchants/queries.ts';
import { type Language, textsIn } from '../../texts/languages.ts';
import { because, type Reason } from '../../texts/verdicts.ts';
import { codeHashes, codeLength, codeProof, proofHeader } from './confirm-alert-address.ts';
import { isForwardAddress } from './forward-address.ts';
import { addressIsTaken, deleteExtraAddress, lockExtraAddresses, writeCode } from './queries/addresses.ts';

const codeLifetime = 24 * hour;
const mostAddresses = 10;
/** The recipient of a code mail may not have asked for it, and each code allows another round of guesses. */
const mostCodesADay = 3;

/** Whether the mail server took it. */
export type SendMail = (mail: {
  to: string;
  subject: string;
  text: string;
  headers: Record<string, string>;
}) => Promise<boolean>;

export type AddedAddress =
  | { outcome: 'code_sent' }
  | { outcome: 'already_confirmed' }
  | { outcome: 'refused'; reason: Reason };

type AddOptions = {
  language?: Language;
  /** Writes the audit entry in the transaction of the change. */
  record?: (tx: Transaction, address: string) => Promise<void>;
};

/**
 * Adds an extra alert address, or sends it a new code. The address counts only after its code arrives in the connected
 * mailbox or is typed in. Only a reader of the address knows the code. `send` is null without SMTP.
 */
export async function addAlertAddress(
  world: Pick<World, 'sql' | 'clock' | 'secrets'>,
  merchantId: number,
  typed: string,
  send: SendMail | null,
  { language = 'en', record }: AddOptions = {},
): Promise<AddedAddress> {
  const refuse = (reason: Reason) => ({ outcome: 'refused' as const, reason });
  const address = parseMailAddress(typed);
  if (!address) return refuse(because('not_an_address'));
  if (!send) return refuse(because('no_mail_sent'));
  // A forwarding address counts only for the business that got it.
  if (isForwardAddress(address)) return refuse(because('address_taken'));
  const now = world.clock.now();
  const code = randomDigits(codeLength);
  const codeHash = codeHashes(world.secrets, merchantId, address, code)[0]!;
  const prepared = await world.sql.begin(async tx => {
    if (await addressIsTaken(tx, merchantId, address)) {
      return refuse(because('address_taken'));
    }
    // The row locks do not cover addresses that another transaction is adding.
    await lockMerchant(tx, merchantId);
    const rows = await lockExtraAddresses(tx, merchantId);
    const row = rows.find(one => one.address === address);
    if (row?.confirmed_at) return { outcome: 'already_confirmed' as const };
    if (!row && rows.length >= mostAddresses)
      return refuse(because('too_many_addresses', { most: mostAddresses }));
    const sameDay = row?.first_code_at && row.first_code_at > later(now, -day);
    if (sameDay && row.codes_sent >= mostCodesADay) {
      return refuse(because('too_many_codes', { most: mostCodesADay }));
    }
    await writeCode(tx, {
      merchant_id: merchantId,
      address,
      code_hash: codeHash,
      code_expires_at: later(now, codeLifetime),
      codes_sent: sameDay ? row.codes_sent + 1 : 1,
      first_code_at: sameDay ? row.first_code_at : now,
      added_at: now,
    });
    await record?.(tx, address);
    return null;
  });
  if (prepared) return prepared;
  const isSent = await send({
    to: address,
    subject: `Milaan code ${code}`,
    text: textsIn(language).mails.addressCode({ code }),
    headers: { [proofHeader]: codeProof(world.secrets, codeHash) },
  });
  return isSent ? { outcome: 'code_sent' } : refuse(because('code_not_sent'));
}

export async function removeAlertAddress(tx: Transaction, merchantId: number, address: string) {
  return await deleteExtraAddress(tx, merchantId, address.toLowerCase());
}
