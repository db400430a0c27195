import assert from 'node:assert/strict';
import { describe } from 'node:test';
import { mailboxState } from '../../../src/alerts/mailboxes/mailbox-state.ts';
import { startDovecot } from '../../support/dovecot.ts';
import { needs } from '../../support/needs.ts';
import {
  connectTestMailbox,
  openMailWorld,
  plainMail,
  storedMails,
  watch,
} from '../../support/test-mailbox.ts';
import { waitFor } from '../../support/wait-for.ts';

const { test, use } = needs('Dovecot');

/** A restored server keeps its UIDVALIDITY and gives out numbers a second time. */
describe('a mail server that was restored from a backup', () => {
  const world = use(openMailWorld);
  const dovecot = use(startDovecot);

  const deliver = async (user: string, mails: number, folder?: string) => {
    for (let mail = 0; mail < mails; mail++) await dovecot.deliver(user, plainMail(), folder);
  };
  const stored = (merchantId: number, mails: number) =>
    waitFor(`${mails} mails`, async () => (await storedMails(world, merchantId)) >= mails);
  const goodPoll = async (merchantId: number) => {
    const asked = world.clock.now();
    await waitFor('a good poll', async () => {
      const state = await mailboxState(world.sql, merchantId, world.clock.now());
      return state?.lastGoodPoll && state.lastGoodPoll > asked;
    });
  };
  const uidvalidities = async (merchantId: number) =>
    (
      await world.sql<{ folder: string; uidvalidity: number }[]>`
        select folder, uidvalidity from mailbox_positions where merchant_id = ${merchantId} order by folder`
    ).map(row => `${row.folder} ${row.uidvalidity}`);

  for (const folder of ['INBOX', 'Junk']) {
    test(`a restored server hides no mail under numbers that were read before, in ${folder}`, async () => {
      const { merchantId, user } = await connectTestMailbox(world, dovecot, {
        user: `away-${folder.toLowerCase()}@test.example`,
      });
      await deliver(user, 6, folder);
      let watching = watch(world, dovecot);
      await stored(merchantId, 6);
      await watching.stop();
      const restore = await dovecot.backUp(user);
      watching = watch(world, dovecot);
      await deliver(user, 6, folder);
      await stored(merchantId, 12);
      await goodPoll(merchantId);
      await watching.stop();
      const before = await uidvalidities(merchantId);

      await restore();
      // Six take the numbers of those that were lost, six come behind.
      await deliver(user, 12, folder);
      watching = watch(world, dovecot);
      try {
        await stored(merchantId, 24);
        await goodPoll(merchantId);
      } finally {
        await watching.stop();
      }
      assert.equal(await storedMails(world, merchantId), 24);
      assert.deepEqual(await uidvalidities(merchantId), before);
    });
  }

  test('a restore is noticed while the mailbox is being read', async () => {
    const { merchantId, user } = await connectTestMailbox(world, dovecot, { user: 'there@test.example' });
    await deliver(user, 3);
    let watching = watch(world, dovecot);
    await stored(merchantId, 3);
    await watching.stop();
    const restore = await dovecot.backUp(user);
    watching = watch(world, dovecot);
    try {
      await deliver(user, 7);
      await stored(merchantId, 10);
      await goodPoll(merchantId);
      await restore();
      await deliver(user, 9);
      await stored(merchantId, 19);
      await goodPoll(merchantId);
    } finally {
      await watching.stop();
    }
    assert.equal(await storedMails(world, merchantId), 19);
  });

  test('a restore is not suspected when people only delete mails: no mail is read twice', async () => {
    const { merchantId, user } = await connectTestMailbox(world, dovecot, { user: 'deleted@test.example' });
    await deliver(user, 6);
    let watching = watch(world, dovecot);
    await stored(merchantId, 6);
    await goodPoll(merchantId);
    await watching.stop();
    await dovecot.empty(user);
    await deliver(user, 1);
    watching = watch(world, dovecot);
    try {
      await stored(merchantId, 7);
      await goodPoll(merchantId);
    } finally {
      await watching.stop();
    }
    // A rescan forgets where mails were found.
    const [row] = await world.sql<{ found: number }[]>`
      select count(*) as found from found_mails where merchant_id = ${merchantId}`;
    assert.equal(row!.found, 7);
  });
});
