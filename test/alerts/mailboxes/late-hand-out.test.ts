import assert from 'node:assert/strict';
import { test } from 'node:test';
import { mostTriesForMail } from '../../../src/alerts/mail/limits.ts';
import { catchUp } from '../../../src/alerts/mailboxes/catch-up.ts';
import { mailboxMetrics } from '../../../src/alerts/mailboxes/metrics.ts';
import { usualPace } from '../../../src/alerts/mailboxes/pace.ts';
import { openLedger } from '../../../src/alerts/mailboxes/queries/positions.ts';
import type { Job } from '../../../src/alerts/mailboxes/watch-job.ts';
import { minute } from '../../../src/base/clock.ts';
import { bankSender, plainMail, storedMails } from '../../support/test-mailbox.ts';
import { addTestMerchant, openTestWorld } from '../../support/test-world.ts';
import { use } from '../../support/use.ts';

const world = use(openTestWorld);

/** No real server lists a mail and then keeps it back for minutes, so this one answers from the test. */
function lateServer() {
  const source = Buffer.from(plainMail());
  const box = { path: 'INBOX', uidValidity: 1n, uidNext: 2 };
  const server = {
    handsOut: false,
    mailbox: box,
    mailboxOpen: async () => box,
    search: async ({ uid }: { uid?: string }) =>
      uid === undefined || uid === '1' || uid === '1:*' ? [1] : [],
    fetchAll: async () =>
      server.handsOut
        ? [{ uid: 1, size: source.length, internalDate: world.clock.now(), headers: source, source }]
        : [],
  };
  return server;
}

test('a mail that its server lists, but delivers only after many polls, is found by the comparison', async () => {
  const { merchantId } = await addTestMerchant(world);
  await world.sql`
    insert into mailboxes (merchant_id, provider, address, username, host, port, credential, revision, connected_at)
    values (${merchantId}, 'other', 'late@test.example', 'late', 'mail.test.example', 993, '', 1, ${world.clock.now()})`;
  await world.sql`insert into mailbox_leases (merchant_id, fence) values (${merchantId}, 1)`;
  await world.sql`insert into mailbox_states (merchant_id) values (${merchantId}) on conflict do nothing`;
  const client = lateServer();
  const job = {
    world,
    metrics: mailboxMetrics(world.metrics),
    mailbox: { merchant_id: merchantId },
    held: { merchantId, fence: 1 },
    memories: new Map(),
    connection: { client, run: (command: (c: unknown) => unknown) => command(client), ended: () => null },
    tools: {
      pace: usualPace,
      ownSender: null,
      isBankSender: (address: string) => address === bankSender,
      ledger: openLedger(world),
    },
  } as unknown as Job;
  const poll = () => catchUp(job, 'INBOX', { reopen: true });

  for (let polls = 0; polls <= mostTriesForMail + 1; polls++) await poll();
  client.handsOut = true;
  await poll();
  assert.equal(await storedMails(world, merchantId), 0, 'it is no longer asked for at every poll');
  world.clock.advance(usualPace.compare + 1 * minute);
  await poll();
  assert.equal(await storedMails(world, merchantId), 1);
});
