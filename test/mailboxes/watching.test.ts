import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { readRaw } from '../../src/alerts/store-mail.ts';
import { mailboxState } from '../../src/mailboxes/mailbox-state.ts';
import { type Dovecot, startDovecot } from '../support/dovecot.ts';
import {
  connectTestMailbox,
  foundIn,
  openMailWorld,
  plainMail,
  storedMails,
  watch,
} from '../support/test-mailbox.ts';
import type { TestWorld } from '../support/test-world.ts';
import { waitFor } from '../support/wait-for.ts';

describe('watching a mailbox', () => {
  let world: TestWorld;
  let dovecot: Dovecot;
  before(async () => {
    [world, dovecot] = await Promise.all([openMailWorld(), startDovecot()]);
  });
  after(async () => {
    await Promise.all([world.stop(), dovecot.stop()]);
  });

  test('stores a bank mail byte for byte, passes over other mail, and sets no flag', async () => {
    const { merchantId, user } = await connectTestMailbox(world, dovecot, { user: 'a@test.example' });
    const raw = plainMail();
    await dovecot.deliver(user, plainMail({ from: 'friend@elsewhere.example' }));
    await dovecot.deliver(user, raw);
    const watching = watch(world, dovecot);
    try {
      await waitFor('the first mail', async () => (await storedMails(world, merchantId)) === 1);
      await dovecot.deliver(user, plainMail());
      await dovecot.deliver(user, plainMail(), 'Junk');
      await waitFor('the mail in Junk too', async () => (await storedMails(world, merchantId)) === 3);
    } finally {
      await watching.stop();
    }
    assert.deepEqual(await foundIn(world, merchantId), ['INBOX', 'INBOX', 'Junk']);
    const [row] = await world.sql<{ alert_id: string; verdict: string }[]>`
      select alert_id, verdict from alerts where merchant_id = ${merchantId} order by arrived_at limit 1`;
    assert.equal((await readRaw(world.sql, merchantId, row!.alert_id))?.toString(), raw);
    assert.equal(row!.verdict, 'unjudged');
    assert.deepEqual(await dovecot.flags(user), ['', '', '']);
    const state = await mailboxState(world.sql, merchantId, world.clock.now());
    assert.equal(state?.blind, false);
    assert.ok(state?.lastAlert);
  });
});
