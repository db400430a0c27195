import assert from 'node:assert/strict';
import { test } from 'node:test';
import { later, minute, second } from '../../../src/base/clock.ts';
import { newLease } from '../../../src/base/database/row-lease.ts';
import { paise } from '../../../src/base/money.ts';
import { mayDo } from '../../../src/business/accounts/may-do.ts';
import { sweepAccounts } from '../../../src/business/accounts/start-account-work.ts';
import { saveChoices } from '../../../src/dashboard/notices/queries.ts';
import { claimPushes, insertPushes, mostOfAMerchant } from '../../../src/outbox/pushes/queries.ts';
import { deliverPush, type PushResult, startPushing } from '../../../src/outbox/pushes/start-pushing.ts';
import { addDevice, pushKeys } from '../../../src/outbox/pushes/subscription.ts';
import { rolesFor, topics } from '../../../src/outbox/topics.ts';
import { addTestUser } from '../../support/dashboard-site.ts';
import {
  deviceOf,
  devices,
  merchant,
  never,
  notify,
  owner,
  pay,
  round,
  service,
  titles,
  usePushStage,
  world,
} from '../../support/push-stage.ts';
import { addTestMerchant } from '../../support/test-world.ts';
import { until } from '../../support/until.ts';

usePushStage();

test('a payment is pushed, encrypted and in their language, to the devices of people who may see it', async () => {
  const cashier = await addTestUser(world, merchant.merchantId, 'cashier');
  await world.sql`update users set language = 'hi' where user_id = ${cashier.userId}`;
  const [office, counter] = [await deviceOf(owner), await deviceOf(cashier)];
  const orderId = await pay({ at: 'counter' });
  assert.equal(office.pushed.length, 0, 'nothing leaves inside the transaction');
  assert.deepEqual(await round(), ['sent', 'sent']);
  const [pushed] = office.pushed;
  assert.match(pushed!.message.title, /^₹[\d,]+\.\d\d received$/);
  const { title, ...rest } = pushed!.message;
  assert.deepEqual(rest, { body: 'Chai Point', url: `/dashboard/orders/${orderId}`, tag: orderId });
  assert.equal(counter.pushed[0]?.message.title, title.replace('received', 'मिले'));
  assert.equal(counter.pushed[0]?.message.url, '/dashboard/counter');
  const { signed, headers } = pushed!;
  assert.equal(signed.key, pushKeys(world.config)?.publicKey);
  assert.equal(signed.aud, new URL(office.subscription.endpoint).origin);
  assert.deepEqual(
    [headers['content-encoding'], headers['urgency'], headers['topic']],
    ['aes128gcm', 'high', orderId],
  );
  assert.equal(headers['ttl'], '3600');
  assert.deepEqual(await round(), []);
});

test('a cashier gets notices about payments only, and each topic goes to the roles that may open its screen', async () => {
  const cashier = await addTestUser(world, merchant.merchantId, 'cashier');
  const [counter, office] = [await deviceOf(cashier), await deviceOf(owner)];
  for (const kind of ['mailbox_blind', 'webhook_working', 'money_unmatched', 'deed'] as const)
    await notify(kind);
  await round();
  assert.deepEqual(titles(counter), []);
  assert.deepEqual(office.pushed.map(({ message }) => message.url).sort(), [
    '/dashboard/mailbox',
    '/dashboard/money',
    '/dashboard/webhooks',
  ]);
  const roles = ['owner', 'manager', 'support', 'developer', 'auditor', 'cashier'] as const;
  for (const topic of topics) {
    const may = roles.filter(
      role => mayDo(role, 'business.read') || (topic === 'payment' && mayDo(role, 'payments.take')),
    );
    assert.deepEqual(rolesFor(topic), may, topic);
  }
});

test('a cashier gets no payment of the website, because the counter does not show it either', async () => {
  const cashier = await addTestUser(world, merchant.merchantId, 'cashier');
  const [counter, office] = [await deviceOf(cashier), await deviceOf(owner)];
  await pay();
  assert.deepEqual(await round(), ['dropped', 'sent']);
  assert.deepEqual([counter.pushed.length, office.pushed.length], [0, 1]);
});

test('each person chooses; a choice or loss of rights between news and sending counts', async () => {
  const manager = await addTestUser(world, merchant.merchantId, 'manager');
  const [one, other] = [await deviceOf(owner), await deviceOf(manager)];
  const off = { topic: 'mailbox' as const, by_mail: true, by_push: false };
  await saveChoices(world.sql, merchant.merchantId, owner.userId, [off]);
  await notify('mailbox_blind');
  await notify('money_unmatched');
  await world.sql`update users set role = 'cashier' where user_id = ${manager.userId}`;
  assert.deepEqual(await round(), ['dropped', 'dropped', 'sent']);
  assert.deepEqual([one.pushed.length, other.pushed.length], [1, 0]);
});

test('a cancelled subscription is deleted; another refusal is tried again and given up in the end', async () => {
  const [gone, away] = [await deviceOf(owner), await deviceOf(owner)];
  gone.answers(410);
  away.answers(503);
  await pay();
  assert.deepEqual(await round(), ['failed', 'gone']);
  assert.equal(await devices(owner), 1);
  const outcomes: PushResult[] = [];
  for (const pause of [10 * second, 1 * minute, 5 * minute, 15 * minute]) {
    world.clock.advance(pause - 1);
    assert.deepEqual(await round(), []);
    world.clock.advance(1);
    outcomes.push(...(await round()));
  }
  assert.deepEqual(outcomes, ['failed', 'failed', 'failed', 'given_up']);
  assert.equal((await world.sql`select from pushes`).length, 0);
  assert.equal(await devices(owner), 1);
});

test('two workers share the queue; one that dies after sending causes a repeat under the same tag', async () => {
  const phone = await deviceOf(owner);
  await pay();
  const now = world.clock.now();
  const claim = () => claimPushes(world.sql, newLease(now, 30 * second), { limit: 64 });
  const [first, second_] = await Promise.all([claim(), claim()]);
  const claimed = [...first, ...second_];
  assert.equal(claimed.length, 1);
  // Sent, and never recorded.
  await deliverPush({ ...world, sql: null as never }, claimed[0]!, never).catch(() => {});
  assert.equal(phone.pushed.length, 1);
  assert.deepEqual(await round(), []);
  world.clock.advance(30 * second);
  assert.deepEqual(await round(), ['sent']);
  assert.equal(phone.pushed[0]?.message.tag, phone.pushed[1]?.message.tag);
  assert.equal(phone.pushed[0]?.headers['topic'], phone.pushed[1]?.headers['topic']);
});

test('a device that is being removed neither delays nor breaks a payment', async () => {
  await deviceOf(owner);
  await world.sql.begin(async tx => {
    await tx`delete from push_devices where merchant_id = ${merchant.merchantId}`;
    const now = world.clock.now();
    const push = { merchantId: merchant.merchantId, orderId: 'ML-1', amountPaise: paise(100), now };
    await world.sql.begin(other =>
      insertPushes(other, { ...push, topic: 'payment', usefulUntil: later(now, minute) }),
    );
  });
  assert.deepEqual(await round(), ['dropped']);
  assert.equal((await world.sql`select from pushes`).length, 0);
});

test('a push that could not be sent while it was useful is deleted', async () => {
  const phone = await deviceOf(owner);
  await pay();
  world.clock.advance(60 * minute);
  await sweepAccounts(world);
  assert.deepEqual(await round(), []);
  assert.equal(phone.pushed.length, 0);
});

test('a business whose devices never answer gets its share of the places, and nobody else waits behind it', async () => {
  const other = await addTestMerchant(world);
  const phone = await deviceOf(await addTestUser(world, other.merchantId, 'owner'));
  const now = world.clock.now();
  await deviceOf(owner);
  const about = {
    topic: 'payment',
    amountPaise: paise(100),
    now,
    usefulUntil: later(now, 60 * minute),
  } as const;
  for (let order = 0; order < 100; order++)
    await world.sql.begin(tx =>
      insertPushes(tx, { merchantId: merchant.merchantId, orderId: `ML-${order}`, ...about }),
    );
  await world.sql.begin(tx => insertPushes(tx, { merchantId: other.merchantId, orderId: 'ML-B', ...about }));
  const claim = (busy: readonly number[]) =>
    claimPushes(world.sql, newLease(now, 30 * second), { limit: 64, busy });
  const first = await claim([]);
  assert.equal(first.filter(push => push.merchant_id === merchant.merchantId).length, mostOfAMerchant);
  const theirs = first.find(push => push.merchant_id === other.merchantId);
  assert.equal(await deliverPush(world, theirs!, never), 'sent');
  assert.equal(phone.pushed.length, 1);
  assert.deepEqual(await claim([merchant.merchantId]), []);
});

test('the worker greets a new device, counts pushes, and finishes its work before it stops', async () => {
  const phone = service.newDevice();
  const worker = startPushing(world);
  await world.sql.begin(tx =>
    addDevice(tx, {
      ...owner,
      sessionId: 's',
      agent: '',
      subscription: phone.subscription,
      now: world.clock.now(),
    }),
  );
  // The device has it before its push service has answered, and a stop cuts that off.
  const isCounted = async () =>
    /milaan_pushes_total\{outcome="sent"\} 1/.test(await world.metrics.registry.metrics());
  await until('it is counted as sent', isCounted);
  await worker.stop();
  assert.deepEqual(titles(phone), ['Notices will look like this']);
  assert.equal(phone.pushed[0]?.message.url, '/dashboard/shop/notifications');
});

test('a notice of an unknown kind is shown by its kind, and delays nothing', async () => {
  const device = await deviceOf(owner);
  await notify('mailbox_blind');
  await world.sql`update notices set kind = 'constructor', facts = '[]' where merchant_id = ${merchant.merchantId}`;
  assert.deepEqual(await round(), ['sent']);
  assert.equal(device.pushed[0]?.message.title, 'A notice of the kind “constructor”');
});
