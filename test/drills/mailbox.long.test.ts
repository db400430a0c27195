import assert from 'node:assert/strict';
import { undecided } from '../../src/alerts/judging/judge-mail.ts';
import { startJudging } from '../../src/alerts/judging/start-judging.ts';
import { because } from '../../src/texts/verdicts.ts';
import { startDovecot } from '../support/dovecot.ts';
import { startFaultProxy } from '../support/fault-proxy.ts';
import { needs } from '../support/needs.ts';
import { connectTestMailbox, openMailWorld, plainMail, storedMails, watch } from '../support/test-mailbox.ts';
import { waitFor } from '../support/wait-for.ts';

const { test } = needs('Dovecot');

/** `MAILS=10000 npx node --test test/drills/mailbox.long.test.ts` plays longer. */
const messages = Number(process.env['MAILS'] ?? 400);
const reconnects = Math.max(6, Math.round(messages / 500));
const renumberings = 3;

test('400 mails, 6 resets and 3 renumberings end in exactly 400 judged alerts', async () => {
  const { stored, judged, judgings, sessions } = await deliverThroughFaults();
  assert.deepEqual([stored, judged, judgings], [messages, messages, messages]);
  assert.ok(sessions > reconnects);
});

/**
 * Delivers mails to INBOX and Junk while sessions are reset and folders are renumbered, two processes' worth of watchers
 * sharing the work, and counts what was judged in the end.
 */
async function deliverThroughFaults() {
  const [world, dovecot] = await Promise.all([openMailWorld(), startDovecot()]);
  const proxy = await startFaultProxy(dovecot);
  let judgings = 0;
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
      };
    } finally {
      await Promise.all(running.map(role => role.stop()));
    }
  } finally {
    await proxy.stop();
    await Promise.all([world.stop(), dovecot.stop()]);
  }
}
