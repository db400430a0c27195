import type { Transaction } from '../../base/database/connect.ts';
import type { World } from '../../base/world.ts';
import { type Doer, installation, recordDeed } from '../../business/accounts/record-deed.ts';
import { decideLine, lockOpenLine } from './queries/held-lines.ts';

/** The operator says that a line is not to be listed: its mails stay unread, and nobody is asked about it again. */
export async function dismissHeldLine(
  tx: Transaction,
  { clock }: Pick<World, 'clock'>,
  lineId: number,
  { actor, address }: Pick<Doer, 'actor' | 'address'>,
): Promise<boolean> {
  const held = await lockOpenLine(tx, lineId);
  if (held === null) return false;
  const doer = { merchantId: installation, actor, address, now: clock.now() };
  await decideLine(tx, lineId, doer.now);
  await recordDeed(tx, doer, { action: 'bank_line.dismiss', subject: held.bank, details: String(lineId) });
  return true;
}
