import { hour, later } from '../base/clock.ts';
import type { World } from '../base/world.ts';
import { mailOperators } from '../business/accounts/mail-operators.ts';
import { claimUnmailedReports } from './queries.ts';

/** Reports of so long are told of in one mail: however many there are, nobody is flooded. */
const betweenMails = 1 * hour;

/** Tells every operator that payment pages were reported, each report once. Without SMTP only their screen does. */
export async function mailReports(
  world: Pick<World, 'sql' | 'clock' | 'config' | 'secrets' | 'baseUrl'>,
): Promise<number> {
  const { sql, clock, config, baseUrl } = world;
  if (config.smtpUrl === null) return 0;
  const now = clock.now();
  return await sql.begin(async tx => {
    const count = await claimUnmailedReports(tx, now, later(now, -betweenMails));
    if (count === 0) return 0;
    const link = `${baseUrl}/dashboard/operator/watch`;
    await mailOperators(tx, world, ({ mails }) => mails.reports({ count, link }));
    return count;
  });
}
