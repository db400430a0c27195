import { minute, second } from '../clock.ts';
import { keepWorking } from '../database/keep-working.ts';
import { openSmtp } from '../notices/open-smtp.ts';
import type { World } from '../world.ts';
import { mailAccounts } from './mail-accounts.ts';
import { removeBusinesses } from './remove-businesses.ts';
import { sweepAccounts } from './sweep-accounts.ts';

const mailPause = 2 * second;
const sweepPause = 10 * minute;

/** The background of the accounts: mails to people where SMTP is set up, and the end of businesses that left. */
export function startAccountWork(world: Pick<World, 'sql' | 'clock' | 'secrets' | 'log' | 'config'>): {
  stop(): Promise<void>;
} {
  const { smtpUrl, mailFrom } = world.config;
  const sweeping = keepWorking(world, { what: 'removing businesses', pause: sweepPause }, async () => {
    await removeBusinesses(world);
    await sweepAccounts(world);
  });
  if (smtpUrl === null || mailFrom === null) return sweeping;
  const smtp = openSmtp(smtpUrl);
  const mailing = keepWorking(world, { what: 'mailing', pause: mailPause }, async () => {
    await mailAccounts(world, smtp, mailFrom);
  });
  return {
    async stop() {
      smtp.close();
      await Promise.all([sweeping.stop(), mailing.stop()]);
    },
  };
}
