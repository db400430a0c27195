import type { World } from '../base/world.ts';
import { mailNews } from '../business/accounts/mail-operators.ts';
import { claimUnmailedAwaiting, claimUnmailedReports } from './queries.ts';

type MailWorld = Pick<World, 'sql' | 'clock' | 'config' | 'secrets' | 'baseUrl'>;

/** Mails every operator that payment pages were reported. */
export function mailReports(world: MailWorld): Promise<number> {
  const link = `${world.baseUrl}/dashboard/operator/watch`;
  return mailNews(world, claimUnmailedReports, ({ mails }, { length: count }) =>
    mails.reports({ count, link }),
  );
}

/** Mails every operator that businesses wait for their approval. */
export function mailAwaiting(world: MailWorld): Promise<number> {
  const link = `${world.baseUrl}/dashboard/operator`;
  return mailNews(world, claimUnmailedAwaiting, ({ mails }, { length: count }) =>
    mails.awaitsWord({ count, link }),
  );
}
