import assert from 'node:assert/strict';
import { describe } from 'node:test';
import { stopReading } from '../../../src/alerts/forwarding/open-forwarding.ts';
import { disconnectMailbox } from '../../../src/alerts/mailboxes/connect-mailbox.ts';
import { LostLease } from '../../../src/alerts/mailboxes/explain-failure.ts';
import { requestDeletion } from '../../../src/business/accounts/delete-merchant.ts';
import { setDisabled } from '../../../src/business/merchants/queries.ts';
import { addTestOrder } from '../../support/checkout-site.ts';
import { startDovecot } from '../../support/dovecot.ts';
import { needs } from '../../support/needs.ts';
import {
  connectTestMailbox,
  openMailWorld,
  plainMail,
  storedMails,
  watch,
} from '../../support/test-mailbox.ts';
import type { TestWorld } from '../../support/test-world.ts';
import { waitFor } from '../../support/wait-for.ts';

const { afterEach, test, use } = needs('Dovecot');

describe('processes that share the mailboxes', () => {
  const world = use(openMailWorld);
  const dovecot = use(startDovecot);
  afterEach(async () => {
    await world.sql`delete from mailboxes`;
  });

  const owners = async () => {
    const rows = await world.sql<{ holder: string | null; count: number }[]>`
      select holder, count(*) as count from mailbox_leases where leased_until > clock_timestamp()
      group by holder order by count`;
    return rows.map(row => row.count);
  };

  test('processes share mailboxes equally, give some to a newcomer, and take over those of one that ends', async () => {
    for (let count = 0; count < 7; count++) {
      await connectTestMailbox(world, dovecot, { user: `share${count}@test.example` });
    }
    const first = watch(world, dovecot);
    await waitFor('one owns all', async () => (await owners()).join() === '7');
    const second = watch(world, dovecot);
    await waitFor('two share', async () => (await owners()).join() === '3,4');
    const third = watch(world, dovecot);
    await waitFor(
      'three share',
      async () => (await owners()).join() === '2,2,3' || (await owners()).join() === '1,3,3',
    );
    await first.stop();
    await waitFor('two share again', async () => (await owners()).join() === '3,4');
    await Promise.all([second.stop(), third.stop()]);
    assert.deepEqual(await owners(), []);
  });

  test('a watcher that lost its lease writes nothing, and the new holder stores every mail once', async () => {
    const { merchantId, user } = await connectTestMailbox(world, dovecot, { user: 'stale@test.example' });
    await dovecot.deliver(user, plainMail());
    let goOn = () => {};
    let atStep = 0;
    const stale = watch(world, dovecot, {
      step: async name => {
        if (name !== 'mails fetched' || atStep++ > 0) return;
        await new Promise<void>(resolve => {
          goOn = resolve;
        });
      },
    });
    await waitFor('the mail in its hands', () => atStep === 1);
    // Another process does this once the lease has expired.
    await world.sql`
      update mailbox_leases set holder = 'another', fence = nextval('mailbox_fences'),
        leased_until = clock_timestamp() + interval '1 hour'
      where merchant_id = ${merchantId}`;
    goOn();
    await stale.stop();
    assert.equal(await storedMails(world, merchantId), 0);
    const positions = await world.sql`
      select from mailbox_positions where merchant_id = ${merchantId} and folder = 'INBOX'`;
    assert.equal(positions.length, 0);

    await world.sql`update mailbox_leases set leased_until = '-infinity' where merchant_id = ${merchantId}`;
    const fresh = watch(world, dovecot);
    try {
      await waitFor('the mail', async () => (await storedMails(world, merchantId)) === 1);
    } finally {
      await fresh.stop();
    }
  });

  test('a watcher that ended is started again while its process holds the lease', async () => {
    const { merchantId, user } = await connectTestMailbox(world, dovecot, { user: 'again@test.example' });
    await dovecot.deliver(user, plainMail());
    let ended = 0;
    const watching = watch(world, dovecot, {
      step: async () => {
        if (ended++ === 0) throw new LostLease('a false alarm');
      },
    });
    try {
      await waitFor('the mail', async () => (await storedMails(world, merchantId)) === 1);
    } finally {
      await watching.stop();
    }
  });

  test('a disconnected mailbox is no longer read at once, and its password is deleted', async () => {
    const { merchantId, user } = await connectTestMailbox(world, dovecot, { user: 'leave@test.example' });
    const watching = watch(world, dovecot);
    try {
      await waitFor('an owner', async () => (await owners()).join() === '1');
      await world.sql.begin(tx => disconnectMailbox(tx, merchantId, world.clock.now()));
      assert.equal((await world.sql`select from mailboxes`).length, 0);
      await waitFor('no session', async () => !(await connected(world)));
      await dovecot.deliver(user, plainMail());
    } finally {
      await watching.stop();
    }
    assert.equal(await storedMails(world, merchantId), 0);
  });

  test('a mailbox that is disconnected during a payment is read until that order can no longer be paid', async () => {
    const { merchantId, user } = await connectTestMailbox(world, dovecot, { user: 'paying@test.example' });
    const [account] = await world.sql<{ account_id: string }[]>`
      select account_id from upi_accounts where merchant_id = ${merchantId}`;
    await addTestOrder(world, { merchantId, accountId: account!.account_id }, { mailbox: false });
    const watching = watch(world, dovecot);
    try {
      await waitFor('an owner', async () => (await owners()).join() === '1');
      await world.sql.begin(tx => requestDeletion(tx, merchantId, world.clock.now(), stopReading));
      await dovecot.deliver(user, plainMail());
      await waitFor('her alert', async () => (await storedMails(world, merchantId)) === 1);
      await world.sql`update mailboxes set read_until = ${world.clock.now()} where merchant_id = ${merchantId}`;
      await waitFor('no session', async () => !(await connected(world)));
      assert.equal((await world.sql`select from mailboxes where merchant_id = ${merchantId}`).length, 0);
    } finally {
      await watching.stop();
    }
  });

  test('a closed business’s mailbox is watched only until its last order can no longer be paid', async () => {
    const { merchantId } = await connectTestMailbox(world, dovecot, { user: 'shut@test.example' });
    const watching = watch(world, dovecot);
    try {
      await waitFor('an owner', async () => (await owners()).join() === '1');
      await setDisabled(world.sql, merchantId, new Date(Date.now() - 60_000));
      await waitFor('another renewal', async () => (await owners()).join() === '1');
      await setDisabled(world.sql, merchantId, new Date(Date.now() - 21 * 60_000));
      await waitFor('no session', async () => !(await connected(world)));
    } finally {
      await watching.stop();
    }
  });
});

async function connected(world: TestWorld): Promise<boolean> {
  const metric = await world.metrics.registry.getSingleMetric('milaan_mailboxes_connected')!.get();
  return metric.values[0]?.value !== 0;
}
