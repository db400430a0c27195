import { later, second } from '../clock.ts';
import { keepWorking } from '../database/keep-working.ts';
import type { World } from '../world.ts';
import { mailedFor, mailNotices } from './mail-notices.ts';
import { openSmtp } from './open-smtp.ts';
import { countDueNotices } from './queries.ts';

const pause = 5 * second;

/** Mails notices while SMTP is set up; without it they stay on the dashboard, and nothing runs. */
export function startMailingNotices(world: Pick<World, 'sql' | 'clock' | 'log' | 'metrics' | 'config'>): {
  stop(): Promise<void>;
} {
  const { smtpUrl, mailFrom } = world.config;
  if (smtpUrl === null || mailFrom === null) return { stop: async () => {} };
  const mailed = world.metrics.counter('milaan_notices_total', 'Notices to owners by outcome', ['outcome']);
  const waiting = world.metrics.gauge('milaan_notices_waiting', 'Notices whose mail is due');
  const smtp = openSmtp(smtpUrl);

  const worker = keepWorking(world, { what: 'mailing notices', pause }, async () => {
    const { sent, failed } = await mailNotices(world, smtp, mailFrom);
    mailed.inc({ outcome: 'sent' }, sent);
    mailed.inc({ outcome: 'failed' }, failed);
    const now = world.clock.now();
    waiting.set(await countDueNotices(world.sql, now, later(now, -mailedFor)));
  });
  return {
    async stop() {
      // A mail in hand is cut off rather than waited for: its lease lapses and it is sent again.
      smtp.close();
      await worker.stop();
    },
  };
}
