import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { test } from 'node:test';
import type { Transaction } from '../../../src/base/database/connect.ts';
import { newLease } from '../../../src/base/database/row-lease.ts';
import { checkDestination } from '../../../src/base/network/check-destination.ts';
import {
  deleteSession,
  deleteSessionsOf,
  lockRole,
} from '../../../src/business/accounts/queries/sessions.ts';
import { deleteUser } from '../../../src/business/accounts/queries/users.ts';
import { claimDevice, claimPushes } from '../../../src/outbox/pushes/queries.ts';
import { deliverPush, sendPush } from '../../../src/outbox/pushes/start-pushing.ts';
import { addDevice, checkSubscription, mostDevices } from '../../../src/outbox/pushes/subscription.ts';
import { addTestUser } from '../../support/dashboard-site.ts';
import { liveConfig } from '../../support/live-config.ts';
import {
  deviceOf,
  devices,
  never,
  owner,
  pay,
  round,
  service,
  usePushStage,
  world,
} from '../../support/push-stage.ts';
import { addTestMerchant } from '../../support/test-world.ts';

usePushStage();

test('signing out, ending the session elsewhere and leaving the team remove the device; a lapsed session does not', async () => {
  const { merchantId, userId } = owner;
  const one = await deviceOf(owner);
  await world.sql.begin(tx => deleteSession(tx, merchantId, userId, one.sessionId));
  assert.equal(await devices(owner), 0);
  const two = await deviceOf(owner);
  const three = await deviceOf(owner);
  assert.equal(
    await world.sql.begin(tx => deleteSessionsOf(tx, merchantId, userId, { except: two.sessionId })),
    1,
  );
  assert.equal(await devices(owner), 1);
  assert.equal(three.added, true);
  await world.sql`delete from sessions where merchant_id = ${merchantId}`;
  assert.equal(await devices(owner), 1);
  await world.sql.begin(tx => deleteUser(tx, merchantId, userId));
  assert.equal(await devices(owner), 0);
});

test('ending all sessions removes devices with lapsed or replaced sessions too, but not the current device', async () => {
  const { merchantId, userId } = owner;
  const thief = await deviceOf(owner);
  await world.sql`delete from sessions where merchant_id = ${merchantId} and session_id = ${thief.sessionId}`;
  const mine = await deviceOf(owner);
  const colleague = await addTestUser(world, merchantId, 'manager');
  await deviceOf(colleague);
  await world.sql.begin(tx => deleteSessionsOf(tx, merchantId, userId, { except: mine.sessionId }));
  assert.equal(await devices(owner), 1);
  await pay();
  await round();
  assert.deepEqual([thief.pushed.length, mine.pushed.length], [0, 1]);
  await world.sql.begin(tx => deleteSessionsOf(tx, merchantId, userId));
  assert.deepEqual([await devices(owner), await devices(colleague)], [0, 1]);
});

test('two devices do not wait for each other; one added while all sessions end is removed with them', async () => {
  const { merchantId, userId } = owner;
  const { sessionId } = await deviceOf(owner);
  const add = async (tx: Transaction, meanwhile = () => {}) => {
    assert.equal(await lockRole(tx, merchantId, userId, sessionId), 'owner');
    meanwhile();
    const { subscription } = service.newDevice();
    return await addDevice(tx, { ...owner, sessionId, agent: '', subscription, now: world.clock.now() });
  };
  const added = await Promise.all(Array.from({ length: 4 }, () => world.sql.begin(tx => add(tx))));
  assert.deepEqual(added, [true, true, true, true]);
  let ending: Promise<unknown> | undefined;
  await world.sql.begin(tx =>
    add(tx, () => {
      ending = world.sql.begin(other => deleteSessionsOf(other, merchantId, userId));
    }),
  );
  await ending;
  assert.equal(await devices(owner), 0);
});

test('on a shared browser the person who signs in takes over its push notices; the previous person gets none there', async () => {
  const phone = await deviceOf(owner);
  const other = await addTestMerchant(world);
  const stranger = await addTestUser(world, other.merchantId, 'owner');
  const here = { ...stranger, sessionId: 'ses_new' };
  assert.equal(await claimDevice(world.sql, { ...owner, sessionId: 'ses_again' }, phone.subscription), true);
  const [row] = await world.sql`select session_id from push_devices where user_id = ${owner.userId}`;
  assert.equal(row?.['session_id'], 'ses_again');
  assert.equal(await claimDevice(world.sql, here, phone.subscription), false);
  assert.equal(await devices(owner), 0);
  const again = await deviceOf(owner, phone);
  await deviceOf(stranger, again);
  assert.deepEqual([await devices(owner), await devices(stranger)], [0, 1]);
});

test('a person has ten devices at most, also when eleven come at once', async () => {
  const results = await Promise.all(
    Array.from({ length: mostDevices + 3 }, async () => (await deviceOf(owner)).added),
  );
  assert.equal(results.filter(Boolean).length, mostDevices);
  assert.equal(await devices(owner), mostDevices);
});

test('an address that is no public push service is refused when it is added and when it is called', async () => {
  const { subscription } = service.newDevice();
  const live = { ...world, config: { ...world.config, mode: 'live' as const } };
  world.dns.addresses.set('push.example.com', ['93.184.216.34']);
  world.dns.addresses.set('inside.example.com', ['93.184.216.34', '10.0.0.7']);
  const ask = (endpoint: string, keys = {}) =>
    checkSubscription(live, { ...subscription, ...keys, endpoint });
  assert.equal(await ask('https://push.example.com/a'), true);
  for (const endpoint of [
    'http://push.example.com/a',
    'https://127.0.0.1/a',
    'https://[::1]/a',
    'https://169.254.169.254/latest',
    'https://2130706433/a',
    'https://localhost/a',
    'https://inside.example.com/a',
    'https://user:word@push.example.com/a',
    'ftp://push.example.com/a',
    `https://push.example.com/${'a'.repeat(500)}`,
    '',
  ])
    assert.equal(await ask(endpoint), false, endpoint);
  for (const keys of [
    { auth: 'AAAA' },
    { p256dh: 'AAAA' },
    { p256dh: Buffer.alloc(65, 4).toString('base64url') },
  ])
    assert.equal(await ask('https://push.example.com/a', keys), false, JSON.stringify(keys));

  const phone = await deviceOf(owner);
  await pay();
  const now = world.clock.now();
  const [push] = await claimPushes(world.sql, newLease(now, 1), { limit: 1 });
  assert.equal(await deliverPush(live, push!, never), 'failed');
  assert.equal(phone.pushed.length, 0);
});

test('WEBHOOK_ALLOW gives a browser’s push address no access to internal servers', async () => {
  const { subscription } = service.newDevice();
  const { webhookAllow } = liveConfig({ WEBHOOK_ALLOW: '127.0.0.0/8, erp.internal' });
  const live = { ...world, config: { ...world.config, mode: 'live' as const, webhookAllow } };
  world.dns.addresses.set('rebound.example.com', ['127.0.0.1']);
  world.dns.addresses.set('erp.internal', ['127.0.0.1']);
  let calls = 0;
  const inside = createServer(line => {
    calls++;
    line.destroy();
  }).listen(0, '127.0.0.1');
  await once(inside, 'listening');
  const { port } = inside.address() as AddressInfo;
  await deviceOf(owner);
  await pay();
  const now = world.clock.now();
  const [push] = await claimPushes(world.sql, newLease(now, 1), { limit: 1 });
  try {
    for (const host of ['127.0.0.1', 'rebound.example.com', 'erp.internal']) {
      const endpoint = `https://${host}:${port}/a`;
      assert.equal((await checkDestination(live, endpoint)).ok, true, 'a webhook may go there');
      assert.equal(await checkSubscription(live, { ...subscription, endpoint }), false, host);
      assert.equal(await sendPush(live, { ...push!, endpoint }, never), 'failed');
    }
    assert.equal(calls, 0);
  } finally {
    inside.close();
  }
});
