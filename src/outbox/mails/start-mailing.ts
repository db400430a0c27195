import { second } from '../../base/clock.ts';
import { keepWorking } from '../../base/database/keep-working.ts';
import type { World } from '../../base/world.ts';
import { openSmtp } from './open-smtp.ts';
import { countDueMails } from './queries.ts';
import { mostInARound, mostTries, sendMails } from './send-mails.ts';

const pause = 2 * second;

/** Empties the outbox while SMTP is set up; without it notices stay on the dashboard, and nothing runs. */
export function startMailing(
  world: Pick<World, 'sql' | 'clock' | 'secrets' | 'log' | 'metrics' | 'config' | 'baseUrl'>,
): {
  stop(): Promise<void>;
} {
  const { smtpUrl, mailFrom } = world.config;
  if (smtpUrl === null || mailFrom === null) return { stop: async () => {} };
  const mailed = world.metrics.counter('milaan_notices_total', 'Mails to owners and members by outcome', [
    'outcome',
  ]);
  const waiting = world.metrics.gauge('milaan_notices_waiting', 'Mails to owners and members that are due');
  const smtp = openSmtp(smtpUrl);

  const worker = keepWorking(world, { what: 'mailing', pause }, async () => {
    const { sent, failed } = await sendMails(world, smtp, mailFrom);
    mailed.inc({ outcome: 'sent' }, sent);
    mailed.inc({ outcome: 'failed' }, failed);
    waiting.set(await countDueMails(world.sql, { now: world.clock.now(), mostTries }));
    return sent + failed < mostInARound ? pause : 0;
  });
  return {
    async stop() {
      // A mail in hand is cut off rather than waited for: its lease lapses and it is sent again.
      smtp.close();
      await worker.stop();
    },
  };
}
