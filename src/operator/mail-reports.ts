import { hour, later } from '../base/clock.ts';
import type { Transaction } from '../base/database/connect.ts';
import type { World } from '../base/world.ts';
import { mailOperators } from '../business/accounts/mail-operators.ts';
import { claimUnmailedAwaiting, claimUnmailedReports } from './queries.ts';

/** What came in so long is told of in one mail: however much there is, nobody is flooded. */
const betweenMails = 1 * hour;

type MailWorld = Pick<World, 'sql' | 'clock' | 'config' | 'secrets' | 'baseUrl'>;
type Claim = (tx: Transaction, now: Date, notSince: Date) => Promise<number>;

/** Tells every operator that payment pages were reported, each report once. Without SMTP only their screen does. */
export function mailReports(world: MailWorld): Promise<number> {
  return mailOnce(world, 'reports', claimUnmailedReports, '/watch');
}

/** And that businesses wait for their word. */
export function mailAwaiting(world: MailWorld): Promise<number> {
  return mailOnce(world, 'awaitsWord', claimUnmailedAwaiting, '');
}

async function mailOnce(world: MailWorld, kind: 'reports' | 'awaitsWord', claim: Claim, page: string) {
  const { sql, clock, config, baseUrl } = world;
  if (config.smtpUrl === null) return 0;
  const now = clock.now();
  return await sql.begin(async tx => {
    const count = await claim(tx, now, later(now, -betweenMails));
    if (count === 0) return 0;
    const link = `${baseUrl}/dashboard/operator${page}`;
    await mailOperators(tx, world, ({ mails }) => mails[kind]({ count, link }));
    return count;
  });
}
