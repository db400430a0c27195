import assert from 'node:assert/strict';
import { describe } from 'node:test';
import { mailboxState } from '../../../src/alerts/mailboxes/mailbox-state.ts';
import { hour, later, minute } from '../../../src/base/clock.ts';
import { steadyClock } from '../../../src/base/steady-clock.ts';
import { startDovecot } from '../../support/dovecot.ts';
import { needs } from '../../support/needs.ts';
import { readRaw } from '../../support/read-raw.ts';
import { testMachine } from '../../support/test-machine.ts';
import {
  connectTestMailbox,
  foundIn,
  openMailWorld,
  plainMail,
  storedMails,
  watch,
} from '../../support/test-mailbox.ts';
import { waitFor } from '../../support/wait-for.ts';

const { test, use } = needs('Dovecot');

describe('watching a mailbox', () => {
  const world = use(openMailWorld);
  const dovecot = use(startDovecot);

  test('watching stores a bank’s mail byte for byte, skips other mail, and sets no flag', async () => {
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
    assert.equal(state?.lastAlert, null, 'nobody has proven it yet');
  });

  test('watching starts at the oldest order that can still be paid, not at the mailbox’s oldest mail', async () => {
    const { merchantId, user } = await connectTestMailbox(world, dovecot, { user: 'b@test.example' });
    const now = Date.now();
    await addOrder(merchantId, new Date(now - 13 * minute));
    await addOrder(merchantId, new Date(now - 70 * minute));
    const ages = { old: 50 * hour, hours: 2 * hour, open: 12 * minute, fresh: 0 };
    for (const [subject, age] of Object.entries(ages)) {
      await dovecot.deliver(user, plainMail({ subject }), 'INBOX', new Date(now - age));
    }
    const watching = watch(world, dovecot);
    try {
      await waitFor('both mails', async () => (await storedMails(world, merchantId)) === 2);
      await goodPoll(merchantId);
    } finally {
      await watching.stop();
    }
    assert.deepEqual(await subjects(merchantId), ['fresh', 'open']);
  });

  test('two days are read again when the folder renumbers its mails, and no mail is stored twice', async () => {
    const { merchantId, user } = await connectTestMailbox(world, dovecot, { user: 'c@test.example' });
    const watching = watch(world, dovecot);
    try {
      for (let round = 1; round <= 3; round++) {
        await dovecot.deliver(user, plainMail());
        await dovecot.deliver(user, plainMail(), 'Junk');
        await waitFor('the new mails', async () => (await storedMails(world, merchantId)) === 2 * round);
        await dovecot.forgetUids(user);
        await dovecot.forgetUids(user, 'Junk');
      }
      await dovecot.deliver(user, plainMail());
      await waitFor('the last mail', async () => (await storedMails(world, merchantId)) === 7);
      await goodPoll(merchantId);
    } finally {
      await watching.stop();
    }
    assert.equal(await storedMails(world, merchantId), 7);
  });

  test('the same mail in two folders is one alert', async () => {
    const { merchantId, user } = await connectTestMailbox(world, dovecot, { user: 'd@test.example' });
    const raw = plainMail();
    await dovecot.deliver(user, raw);
    await dovecot.deliver(user, raw, 'Junk');
    await dovecot.deliver(user, raw);
    const watching = watch(world, dovecot);
    try {
      await goodPoll(merchantId);
    } finally {
      await watching.stop();
    }
    assert.equal(await storedMails(world, merchantId), 1);
  });

  test('mail below the position is found by comparing the last day', async () => {
    const { merchantId, user } = await connectTestMailbox(world, dovecot, { user: 'e@test.example' });
    await dovecot.deliver(user, plainMail());
    let watching = watch(world, dovecot);
    await waitFor('the first mail', async () => (await storedMails(world, merchantId)) === 1);
    await watching.stop();
    await dovecot.deliver(user, plainMail());
    // Simulate another watcher that passed this UID while the server did not show it yet.
    await world.sql`update mailbox_positions set next_uid = 3 where merchant_id = ${merchantId} and folder = 'INBOX'`;
    watching = watch(world, dovecot);
    try {
      await waitFor('the late mail', async () => (await storedMails(world, merchantId)) === 2);
    } finally {
      await watching.stop();
    }
  });

  test('two days are read again when a restored server assigns numbers a second time', async () => {
    const { merchantId, user } = await connectTestMailbox(world, dovecot, { user: 'f@test.example' });
    await dovecot.deliver(user, plainMail());
    let watching = watch(world, dovecot);
    await waitFor('the first mail', async () => (await storedMails(world, merchantId)) === 1);
    await watching.stop();
    await dovecot.deliver(user, plainMail());
    await world.sql`update mailbox_positions set next_uid = 500 where merchant_id = ${merchantId} and folder = 'INBOX'`;
    await world.sql`
      insert into found_mails select merchant_id, folder, uidvalidity, 2, null, ${world.clock.now()}
      from mailbox_positions where merchant_id = ${merchantId} and folder = 'INBOX'`;
    watching = watch(world, dovecot);
    try {
      await waitFor('the second mail', async () => (await storedMails(world, merchantId)) === 2);
    } finally {
      await watching.stop();
    }
  });

  test('only the head of a mail larger than any alert is kept', async () => {
    const { merchantId, user } = await connectTestMailbox(world, dovecot, { user: 'g@test.example' });
    await dovecot.deliver(user, plainMail({ body: `${'x'.repeat(998)}\r\n`.repeat(1200) }));
    const watching = watch(world, dovecot);
    try {
      await waitFor('the mail', async () => (await storedMails(world, merchantId)) === 1);
    } finally {
      await watching.stop();
    }
    const [row] = await world.sql<
      { alert_id: string; verdict: string; raw_bytes: number; reason_code: string }[]
    >`
      select alert_id, verdict, raw_bytes, reason_code from alerts where merchant_id = ${merchantId}`;
    assert.equal(row!.verdict, 'unreadable');
    assert.equal(row!.reason_code, 'mail_too_large');
    assert.ok(row!.raw_bytes > 1_200_000);
    assert.equal((await readRaw(world.sql, merchantId, row!.alert_id))?.length, 64 * 1024);
  });

  test('a mail found just after the machine slept arrived now, not on the evening before', async () => {
    const { merchantId, user } = await connectTestMailbox(world, dovecot, { user: 'slept@test.example' });
    const machine = testMachine();
    const clock = steadyClock(machine);
    clock.compare?.(machine.wallTime(), 1);
    machine.sleep(8 * hour);
    const watching = watch({ ...world, clock: { ...world.clock, ...clock } }, dovecot);
    try {
      await dovecot.deliver(user, plainMail(), 'INBOX', machine.wallTime());
      await waitFor('the mail', async () => (await storedMails(world, merchantId)) === 1);
    } finally {
      await watching.stop();
    }
    const [row] = await world.sql<{ arrived_at: Date }[]>`
      select arrived_at from alerts where merchant_id = ${merchantId}`;
    assert.equal(row!.arrived_at.getTime(), machine.wall());
  });

  for (const [way, by] of [
    ['forward', 2 * hour],
    ['back', -2 * hour],
  ] as const) {
    test(`every mail is stored while the clocks of all machines are set ${way}, and is judged at once`, async () => {
      const { merchantId, user } = await connectTestMailbox(world, dovecot, {
        user: `set-${way}@test.example`,
      });
      const machine = testMachine();
      const steady = steadyClock(machine);
      steady.compare?.(machine.wallTime(), 1);
      const truth = machine.wallTime();
      const clock = {
        ...world.clock,
        ...steady,
        compare: () => steady.compare!(machine.wallTime(), 1),
      };
      const watching = watch({ ...world, clock }, dovecot);
      try {
        await waitFor('a poll', async () => (await mailboxState(world.sql, merchantId, truth))?.lastGoodPoll);
        machine.set(by);
        for (let mails = 0; mails < 3; mails++) {
          await dovecot.deliver(user, plainMail(), 'INBOX', later(truth, by));
        }
        await waitFor('the mails', async () => (await storedMails(world, merchantId)) === 3);
      } finally {
        await watching.stop();
      }
      const rows = await world.sql<{ arrived_at: Date; next_try_at: Date }[]>`
        select arrived_at, next_try_at from alerts where merchant_id = ${merchantId}`;
      for (const { arrived_at, next_try_at } of rows) {
        // Neither in the future of its own bank nor before the order it may pay.
        assert.equal(arrived_at.getTime(), later(truth, Math.max(by, 0)).getTime());
        assert.equal(next_try_at.getTime(), truth.getTime());
      }
    });
  }

  const goodPoll = async (merchantId: number) => {
    const asked = world.clock.now();
    await waitFor('a good poll', async () => {
      const state = await mailboxState(world.sql, merchantId, world.clock.now());
      return state?.lastGoodPoll && state.lastGoodPoll > asked;
    });
  };

  const addOrder = async (merchantId: number, createdAt: Date) => {
    const [account] = await world.sql<{ account_id: string }[]>`
      select account_id from upi_accounts where merchant_id = ${merchantId}`;
    const id = String(createdAt.getTime());
    await world.sql`
      insert into orders (merchant_id, order_id, merchant_order_id, amount_paise, payable_paise, status, created_at,
        expires_at, pay_token, account_id, success_url, failure_url, webhook_url)
      values (${merchantId}, ${`ML-${id}`}, ${id}, 100, 101, 'pending', ${createdAt},
        ${later(createdAt, 5 * minute)}, ${id}, ${account!.account_id}, 'x', 'x', 'x')`;
  };

  const subjects = async (merchantId: number) => {
    const rows = await world.sql<{ alert_id: string }[]>`
      select alert_id from alerts where merchant_id = ${merchantId}`;
    const raws = await Promise.all(rows.map(row => readRaw(world.sql, merchantId, row.alert_id)));
    return raws.map(raw => /Subject: (\w+)/.exec(String(raw))?.[1]).sort();
  };
});
