import { undecided } from '../../src/alerts/judging/judge-mail.ts';
import { startJudging } from '../../src/alerts/judging/start-judging.ts';
import { because } from '../../src/texts/verdicts.ts';
import { startDovecot } from '../../test/support/dovecot.ts';
import { startFaultProxy } from '../../test/support/fault-proxy.ts';
import {
  connectTestMailbox,
  openMailWorld,
  plainMail,
  storedMails,
  watch,
} from '../../test/support/test-mailbox.ts';
import { waitFor } from '../../test/support/wait-for.ts';

export type Drill = { messages: number; reconnects: number; renumberings: number };
export type DrillResult = {
  stored: number;
  judged: number;
  judgings: number;
  sessions: number;
  seconds: number;
};

/**
 * Delivers mails to INBOX and Junk while sessions are reset and folders are numbered anew, two processes' worth of
 * watchers sharing the work, and counts what was judged in the end.
 */
export async function runDrill({ messages, reconnects, renumberings }: Drill): Promise<DrillResult> {
  const [world, dovecot] = await Promise.all([openMailWorld(), startDovecot()]);
  const proxy = await startFaultProxy(dovecot);
  let judgings = 0;
  const began = performance.now();
  try {
    const { merchantId, user } = await connectTestMailbox(world, dovecot, { port: proxy.port });
    const running = [
      watch(world, dovecot),
      watch(world, dovecot),
      startJudging(world, {
        judge: async () => {
          judgings++;
          return undecided(because('no_text'));
        },
        confirm: async () => ({ outcome: 'no_order' }),
      }),
    ];
    try {
      const every = (times: number) => Math.max(1, Math.floor(messages / (times + 1)));
      for (let count = 1; count <= messages; count++) {
        await dovecot.deliver(user, plainMail(), count % 10 === 0 ? 'Junk' : 'INBOX');
        if (count % every(reconnects) === 0 && count / every(reconnects) <= reconnects) {
          await waitFor('a session to reset', () => proxy.open > 0);
          proxy.reset();
        }
        if (count % every(renumberings) === 0 && count / every(renumberings) <= renumberings) {
          await dovecot.forgetUids(user);
          await dovecot.forgetUids(user, 'Junk');
        }
      }
      const judged = async () => {
        const [row] = await world.sql<{ count: number }[]>`
          select count(*) as count from alerts where merchant_id = ${merchantId} and verdict = 'unreadable'`;
        return row!.count;
      };
      await waitFor('every mail judged', async () => (await judged()) >= messages, 90_000 + messages * 30);
      // A little longer, so that one stored twice would show.
      const polls = async () =>
        (await world.metrics.registry.getSingleMetric('milaan_mailbox_polls_total')!.get()).values[0]!.value;
      const before = await polls();
      await waitFor('two more polls', async () => (await polls()) >= before + 2);
      return {
        stored: await storedMails(world, merchantId),
        judged: await judged(),
        judgings,
        sessions: proxy.accepted,
        seconds: (performance.now() - began) / 1000,
      };
    } finally {
      await Promise.all(running.map(role => role.stop()));
    }
  } finally {
    await proxy.stop();
    await Promise.all([world.stop(), dovecot.stop()]);
  }
}
