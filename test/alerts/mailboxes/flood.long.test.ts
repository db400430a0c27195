import assert from 'node:assert/strict';
import { describe } from 'node:test';
import { startDovecot } from '../../support/dovecot.ts';
import { needs } from '../../support/needs.ts';
import {
  bankSender,
  connectTestMailbox,
  openMailWorld,
  plainMail,
  storedMails,
  watch,
} from '../../support/test-mailbox.ts';
import { waitFor } from '../../support/wait-for.ts';

const { test, use } = needs('Dovecot');

const flood = 1_200;
/** For tests in which only the order of storing matters. */
const smaller = 700;
/** The mails that are stored first, and those that were already being fetched. */
const few = 100;

describe('hundreds of mails at once, the newest of them the one that matters', () => {
  const world = use(openMailWorld);
  const dovecot = use(startDovecot);

  // First of all: its steps are those of every mailbox that is watched.
  test('a flood in a folder that is read again: a poll ends before the rest is read, and another reader continues the rest', async () => {
    const { merchantId, user } = await connectTestMailbox(world, dovecot, { user: 'anew@test.example' });
    await deliverFlood(user);
    const polled = Promise.withResolvers<void>();
    const goOn = Promise.withResolvers<void>();
    const step = async (name: string) => {
      if (name !== 'polled') return;
      polled.resolve();
      await goOn.promise;
    };
    const first = watch(world, dovecot, { step });
    await polled.promise;
    const read = await storedMails(world, merchantId);
    assert.ok(read >= 500 && read < flood, `${read} of ${flood} were read before the first good poll`);
    const [row] = await world.sql<{ rest_below: number | null }[]>`
      select rest_below from mailbox_positions where merchant_id = ${merchantId} and folder = 'INBOX'`;
    assert.notEqual(row?.rest_below, null);
    const stopped = first.stop();
    goOn.resolve();
    await stopped;
    await dovecot.deliver(user, plainMail());
    await storedBeforeTheNewest(merchantId, flood + 1, flood);
    const [after] = await world.sql<{ rest_below: number | null }[]>`
      select rest_below from mailbox_positions where merchant_id = ${merchantId} and folder = 'INBOX'`;
    assert.equal(after?.rest_below, null);
  });

  test('a flood in which half of the mails are no bank’s: the others are stored', async () => {
    const { merchantId, user } = await connectTestMailbox(world, dovecot, { user: 'others@test.example' });
    for (let count = 0; count < 500; count++) {
      await dovecot.deliver(user, plainMail({ from: count % 2 ? bankSender : 'news@shop.example' }));
    }
    const watching = watch(world, dovecot);
    try {
      await waitFor('all of them', async () => (await storedMails(world, merchantId)) === 250);
    } finally {
      await watching.stop();
    }
  });

  test('a flood in a mailbox that is read for the first time', async () => {
    const { merchantId, user } = await connectTestMailbox(world, dovecot, { user: 'first@test.example' });
    await deliverFlood(user, smaller);
    await storedBeforeTheNewest(merchantId, smaller);
  });

  test('a flood in a mailbox that has been read before', async () => {
    const { merchantId, user } = await connectTestMailbox(world, dovecot, { user: 'known@test.example' });
    await dovecot.deliver(user, plainMail());
    const watching = watch(world, dovecot);
    await waitFor('the first mail', async () => (await storedMails(world, merchantId)) === 1);
    await watching.stop();
    await deliverFlood(user, smaller);
    await storedBeforeTheNewest(merchantId, 1 + smaller);
  });

  async function deliverFlood(user: string, count = flood): Promise<void> {
    for (let mail = 0; mail < count; mail++) await dovecot.deliver(user, plainMail());
  }

  async function storedBeforeTheNewest(merchantId: number, all: number, most = few): Promise<void> {
    const watching = watch(world, dovecot);
    try {
      await waitFor('every mail', async () => (await storedMails(world, merchantId)) === all, 180_000);
    } finally {
      await watching.stop();
    }
    const [row] = await world.sql<{ earlier: number }[]>`
      with found as (
        select arrived_at, split_part(found_in, '/', 3)::int as uid from alerts where merchant_id = ${merchantId}
      ), newest as (
        select arrived_at from found order by uid desc limit 1
      )
      select count(*)::int as earlier from found, newest where found.arrived_at < newest.arrived_at`;
    assert.ok(row!.earlier < most, `${row!.earlier} mails were stored before the newest`);
    assert.equal(await storedMails(world, merchantId), all, 'and each of them once');
  }
});
