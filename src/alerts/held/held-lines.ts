import type { Transaction } from '../../base/database/connect.ts';
import type { World } from '../../base/world.ts';
import { mailNews } from '../../business/accounts/mail-operators.ts';
import { type Actor, installation, recordAudit } from '../../business/accounts/record-audit.ts';
import { type SavedBy, type SavedEntry, saveBankEntry } from '../book/bank-entries.ts';
import { claimUnmailedLines, decideLine, lockOpenLine } from '../judging/queries/held-lines.ts';

/**
 * The operator lists a line as the bank's own. It may then come before a statement, and the mails that it held are
 * judged again. Null if the line was already decided.
 */
export async function listHeldLine(
  tx: Transaction,
  world: Pick<World, 'banks' | 'clock'>,
  lineId: number,
  by: SavedBy,
): Promise<SavedEntry | null> {
  const held = await lockOpenLine(tx, lineId);
  if (held === null) return null;
  const saved = await saveBankEntry(tx, world, { id: held.bank, openings: [held.line] }, by);
  await decideLine(tx, lineId, world.clock.now());
  return saved;
}

/** The operator decides not to list a line. Its mails stay unread, and the question does not come back. */
export async function dismissHeldLine(
  tx: Transaction,
  { clock }: Pick<World, 'clock'>,
  lineId: number,
  { actor, address }: Pick<Actor, 'actor' | 'address'>,
): Promise<boolean> {
  const held = await lockOpenLine(tx, lineId);
  if (held === null) return false;
  const who = { merchantId: installation, actor, address, now: clock.now() };
  await decideLine(tx, lineId, who.now);
  await recordAudit(tx, who, { action: 'bank_line.dismiss', subject: held.bank, details: String(lineId) });
  return true;
}

export function mailHeldLines(world: Pick<World, 'sql' | 'clock' | 'config' | 'secrets' | 'baseUrl'>) {
  const link = `${world.baseUrl}/dashboard/operator/banks`;
  return mailNews(world, claimUnmailedLines, ({ mails }, lines) => {
    const { subject, text } = mails.heldLines({ count: lines.length, link });
    return { subject, text: `${text}\n${lines.map(({ bank, line }) => `${bank}: ${line}\n`).join('')}` };
  });
}
