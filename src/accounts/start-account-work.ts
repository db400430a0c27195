import { createTransport } from 'nodemailer';
import { minute, second } from '../clock.ts';
import { repeat } from '../repeat.ts';
import type { World } from '../world.ts';
import { mailAccounts } from './mail-accounts.ts';
import { removeBusinesses } from './remove-businesses.ts';
import { sweepAccounts } from './sweep-accounts.ts';

const mailPause = 2 * second;
const sweepPause = 10 * minute;
const smtpLimits = {
  connectionTimeout: 10 * second,
  greetingTimeout: 10 * second,
  socketTimeout: 20 * second,
};

/** The background of the accounts: mails to people where SMTP is set up, and the end of businesses that left. */
export function startAccountWork(world: Pick<World, 'sql' | 'clock' | 'secrets' | 'log' | 'config'>): {
  stop(): Promise<void>;
} {
  const { smtpUrl, mailFrom } = world.config;
  const sweeping = repeat(world.log, 'removing businesses', sweepPause, async () => {
    await removeBusinesses(world);
    await sweepAccounts(world);
  });
  if (smtpUrl === null || mailFrom === null) return sweeping;
  const transport = createTransport({ url: smtpUrl, ...smtpLimits });
  const mailing = repeat(world.log, 'mailing', mailPause, async () => {
    await mailAccounts(world, transport, mailFrom);
  });
  return {
    async stop() {
      transport.close();
      await Promise.all([sweeping.stop(), mailing.stop()]);
    },
  };
}
