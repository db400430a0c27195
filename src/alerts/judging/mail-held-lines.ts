import { hour, later } from '../../base/clock.ts';
import type { World } from '../../base/world.ts';
import { mailOperators } from '../../business/accounts/mail-operators.ts';
import { claimUnmailedLines } from './queries/held-lines.ts';

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
