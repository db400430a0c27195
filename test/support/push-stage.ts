import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { after, before, beforeEach } from 'node:test';
import { second } from '../../src/base/clock.ts';
import { newLease } from '../../src/base/database/row-lease.ts';
import { startSession } from '../../src/business/accounts/session.ts';
import { notifyOwner } from '../../src/outbox/notices/notify-owner.ts';
import { claimPushes, selectDevices } from '../../src/outbox/pushes/queries.ts';
import { deliverPush, type PushResult } from '../../src/outbox/pushes/start-pushing.ts';
import { addDevice } from '../../src/outbox/pushes/subscription.ts';
import { confirmPayment } from '../../src/payments/matching/confirm-payment.ts';
import { openTestApi, type TestApi } from './api.ts';
import { payableOf, storedCredit } from './credit.ts';
import { addTestUser, type TestUser } from './dashboard-site.ts';
import { type PushService, startPushService, type TestDevice } from './push-service.ts';
import { addTestMerchant, type TestMerchant, type TestWorld } from './test-world.ts';

let api: TestApi;
export let world: TestWorld;
export let service: PushService;
/** New for each test. */
export let merchant: TestMerchant;
export let owner: TestUser;

/** A service that may push, a push service on this machine, and a business with its owner for every test of a file. */
export function usePushStage(): void {
  before(async () => {
    api = await openTestApi({ PUSH_KEY: randomBytes(32).toString('base64') });
    world = api.world;
    // Only a sandbox may call a push service on this machine.
    world.config = { ...world.config, mode: 'sandbox' };
    service = await startPushService();
  });
  after(async () => {
    await service?.stop();
    await api?.stop();
  });
  beforeEach(async () => {
    await world.sql`delete from pushes`;
    merchant = await addTestMerchant(world, { name: 'Chai Point' });
    owner = await addTestUser(world, merchant.merchantId, 'owner');
  });
}

/** A device of somebody, its greeting thrown away, and the session that it was added in. */
export async function deviceOf(user: TestUser, device = service.newDevice()) {
  const { sessionId } = await world.sql.begin(tx =>
    startSession(tx, world, {
      ...user,
      stage: 'full',
      address: '',
      agent: '',
    }),
  );
  const added = await world.sql.begin(tx =>
    addDevice(tx, {
      ...user,
      sessionId,
      agent: 'Mozilla/5.0 (Linux; Android 13) Chrome/156',
      subscription: device.subscription,
      now: world.clock.now(),
    }),
  );
  await world.sql`delete from pushes where topic is null`;
  return { ...device, sessionId, added };
}

export const never = new AbortController().signal;

/** One round of the worker. */
export async function round(): Promise<PushResult[]> {
  const now = world.clock.now();
  const due = await claimPushes(world.sql, newLease(now, 30 * second), { limit: 64 });
  return (await Promise.all(due.map(push => deliverPush(world, push, never)))).sort();
}

export const titles = ({ pushed }: Pick<TestDevice, 'pushed'>) => pushed.map(({ message }) => message.title);
export const devices = async (user: TestUser) =>
  (await selectDevices(world.sql, user.merchantId, user.userId)).length;
const blind = { since: new Date(0), address: 'a@b.in', cause: 'x' } as never;

export async function notify(
  kind: 'mailbox_blind' | 'webhook_working' | 'money_unmatched' | 'deed',
  key = kind as string,
) {
  const facts = { ...(blind as object), count: 1, deed: 'x', by: 'x', from: 'x', at: new Date(0) } as never;
  await world.sql.begin(tx =>
    notifyOwner(tx, {
      merchantId: merchant.merchantId,
      kind,
      facts,
      dedupeKey: key,
      now: world.clock.now(),
    }),
  );
}

/** The order of a website, or of the counter. */
export async function pay({ at = 'website' } = {}): Promise<string> {
  const created = (await api.create({}, merchant.apiKey)).json();
  const row = {
    merchant_id: merchant.merchantId,
    order_id: created.order_id,
    purpose: '',
    created_at: world.clock.now(),
  };
  if (at === 'counter') await world.sql`insert into order_purposes ${world.sql(row)}`;
  const credit = await storedCredit(world, merchant.merchantId, { amount: payableOf(created) });
  assert.equal((await confirmPayment(world, credit)).outcome, 'paid');
  return created.order_id;
}
