import { hour, later } from '../../base/clock.ts';
import type { Transaction } from '../../base/database/connect.ts';
import type { World } from '../../base/world.ts';
import { mailOperators } from '../../business/accounts/mail-operators.ts';
import { type Doer, installation, recordDeed } from '../../business/accounts/record-deed.ts';
import { type SavedBy, type SavedEntry, saveBankEntry } from './bank-entries.ts';
import { claimUnmailedLines, decideLine, lockOpenLine } from './queries/held-lines.ts';

/**
 * The operator says that a line is the bank's own: from now on it may stand before a statement, and the mails it held
 * back are judged again. Null when the question is no longer open.
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

/** New lines of so long are told of in one mail: however many there are, nobody is flooded. */
const betweenMails = 1 * hour;

/** Tells every operator about lines that wait for them, each line once. Without SMTP only their screen does. */
export async function mailHeldLines(
  world: Pick<World, 'sql' | 'clock' | 'config' | 'secrets' | 'baseUrl'>,
): Promise<number> {
  const { sql, clock, config, baseUrl } = world;
  if (config.smtpUrl === null) return 0;
  const now = clock.now();
  return await sql.begin(async tx => {
    const lines = await claimUnmailedLines(tx, now, later(now, -betweenMails));
    if (lines.length === 0) return 0;
    const link = `${baseUrl}/dashboard/operator/banks`;
    const list = lines.map(({ bank, line }) => `${bank}: ${line}\n`).join('');
    await mailOperators(tx, world, ({ mails }) => {
      const { subject, text } = mails.heldLines({ count: lines.length, link });
      return { subject, text: `${text}\n${list}` };
    });
    return lines.length;
  });
}
