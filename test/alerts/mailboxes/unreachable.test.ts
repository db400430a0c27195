import assert from 'node:assert/strict';
import { beforeEach, describe, test } from 'node:test';
import { mailboxState } from '../../../src/alerts/mailboxes/mailbox-state.ts';
import { notifyBlindMailboxes } from '../../../src/alerts/mailboxes/notify-of-mailboxes.ts';
import { minute, second } from '../../../src/base/clock.ts';
import { because } from '../../../src/texts/verdicts.ts';
import { addTestMerchant, openTestWorld } from '../../support/test-world.ts';
import { use } from '../../support/use.ts';

describe('an unreachable mailbox', () => {
  let merchantId: number;
  const world = use(openTestWorld);
  beforeEach(async () => {
    await world.sql`delete from mailboxes`;
    ({ merchantId } = await addTestMerchant(world));
    await world.sql`
      insert into mailboxes (merchant_id, provider, address, username, host, port, credential, revision, connected_at)
      values (${merchantId}, 'other', 'shop@test.example', 'shop', 'imap.example', 993, 'sealed', 1, ${world.clock.now()})`;
    await world.sql`
      insert into mailbox_states (merchant_id, last_good_poll, last_error)
      values (${merchantId}, ${world.clock.now()}, ${world.sql.json(because('server_silent'))})`;
  });

  const kinds = async () =>
    (
      await world.sql<{ kind: string }[]>`
      select kind from notices where merchant_id = ${merchantId} order by created_at, kind`
    ).map(row => row.kind);
  const poll = () =>
    world.sql`update mailbox_states set last_good_poll = ${world.clock.now()} where merchant_id = ${merchantId}`;

  test('a mailbox counts as unreachable after ninety seconds without a good poll', async () => {
    world.clock.advance(90 * second);
    assert.equal((await mailboxState(world.sql, merchantId, world.clock.now()))?.blind, false);
    world.clock.advance(1);
    const state = await mailboxState(world.sql, merchantId, world.clock.now());
    assert.equal(state?.blind, true);
    assert.deepEqual(state?.lastError, because('server_silent'));
  });

  test('an unreachable mailbox is reported to its owner once after five minutes, and once when it is read again', async () => {
    world.clock.advance(5 * minute);
    await notifyBlindMailboxes(world);
    assert.deepEqual(await kinds(), []);
    world.clock.advance(1);
    await Promise.all([notifyBlindMailboxes(world), notifyBlindMailboxes(world)]);
    await notifyBlindMailboxes(world);
    assert.deepEqual(await kinds(), ['mailbox_blind']);
    world.clock.advance(minute);
    await poll();
    await Promise.all([notifyBlindMailboxes(world), notifyBlindMailboxes(world)]);
    assert.deepEqual(await kinds(), ['mailbox_blind', 'mailbox_seeing']);
    world.clock.advance(6 * minute);
    await notifyBlindMailboxes(world);
    assert.deepEqual(await kinds(), ['mailbox_blind', 'mailbox_seeing', 'mailbox_blind']);
  });

  test('the mailbox of a closed business reports nothing, and its metric is null', async () => {
    await world.sql`update merchants set disabled_at = ${world.clock.now()} where merchant_id = ${merchantId}`;
    world.clock.advance(10 * minute);
    await notifyBlindMailboxes(world);
    assert.deepEqual(await kinds(), []);
    await world.sql`delete from mailboxes`;
    assert.equal(await mailboxState(world.sql, merchantId, world.clock.now()), null);
  });
});
