import { day, hour, later, minute, second } from '../../src/base/clock.ts';
import { paise } from '../../src/base/money.ts';
import { confirmPayment } from '../../src/payments/matching/confirm-payment.ts';
import { because, type Reason } from '../../src/texts/verdicts.ts';
import { addTestOrder, type TestOrder } from './checkout-site.ts';
import { storedCredit } from './credit.ts';
import { addTestMerchant, type TestMerchant, type TestWorld } from './test-world.ts';

/** A shop in the middle of a working day: payments, open and expired orders, odd alerts, failing webhooks, a mailbox. */
export type BusyShop = TestMerchant & {
  paid: TestOrder;
  open: TestOrder;
  expired: TestOrder;
  eventId: string;
};

/** The world's clock ends where it began. */
export async function addBusyShop(world: TestWorld, name = 'Chai Point'): Promise<BusyShop> {
  const now = world.clock.now();
  world.clock.set(later(now, -20 * day));
  const shop = await addTestMerchant(world, { name });
  const { merchantId } = shop;
  world.clock.set(now);
  await connectedMailbox(world, merchantId, name);
  for (let n = 0; n < 19; n++) {
    world.clock.set(later(now, -(19 - n) * day + (n * hour) / 2));
    await payment(world, shop, 300_11 + ((n * 7) % 11) * 100_00 + n, (400 + n * 130) / 1000);
  }
  world.clock.set(later(now, -2 * hour));
  const paid = await payment(world, shop, 499_37, 1.2);
  world.clock.advance(40 * second);
  await confirmPayment(world, await odd(world, merchantId, 499_37));
  world.clock.set(later(now, -40 * minute));
  const expired = await addTestOrder(world, shop, { payable: 249_12, merchantOrderId: 'basket-76' });
  world.clock.set(later(now, -5 * second));
  const open = await addTestOrder(world, shop, { payable: 1299_58, merchantOrderId: 'basket-77' });
  await confirmPayment(world, await odd(world, merchantId, 1299_00));
  await refused(world, merchantId, 'forged', because('not_signed', { bank: 'HDFC Bank' }));
  await refused(
    world,
    merchantId,
    'wrong_recipient',
    because('addressed_elsewhere', { recipients: 'someone@else.in' }),
  );
  world.clock.set(now);
  await world.sql`
    insert into failing_destinations (merchant_id, destination, failing_since, failures, last_failure)
    values (${merchantId}, 'shop.example', ${later(now, -3 * hour)}, 4, ${world.sql.json(because('answered', { status: 500 }))})`;
  const [event] = await world.sql<{ event_id: string }[]>`
    select event_id from events where merchant_id = ${merchantId} and order_id = ${paid.orderId}`;
  const eventId = event!.event_id;
  await world.sql`
    insert into delivery_log (merchant_id, delivery_id, event_id, attempt, state, due_at, started_at, duration_ms,
      status_code, asked_by)
    select merchant_id, delivery_id, event_id, attempt, 'delivered', due_at, due_at, 120, 200, asked_by
    from delivery_queue where merchant_id = ${merchantId}`;
  await world.sql`
    update delivery_log set state = 'failed', duration_ms = 84, status_code = 500, failure = ${world.sql.json(because('answered', { status: 500 }))},
      response = 'Internal Server Error', request = ${world.sql.json({ 'webhook-id': eventId })}
    where merchant_id = ${merchantId} and event_id = ${eventId}`;
  await world.sql`delete from delivery_queue where merchant_id = ${merchantId}`;
  await world.sql`
    insert into given_up_events select merchant_id, event_id, created_at from events
    where merchant_id = ${merchantId} and event_id = ${eventId}`;
  await world.sql`update api_keys set last_used_at = ${later(now, -minute)} where merchant_id = ${merchantId}`;
  return { ...shop, paid, open, expired, eventId };
}

async function payment(
  world: TestWorld,
  shop: TestMerchant,
  amount: number,
  seconds: number,
): Promise<TestOrder> {
  const order = await addTestOrder(world, shop, { payable: amount });
  world.clock.advance(50 * second);
  const credit = await odd(world, shop.merchantId, amount);
  world.clock.advance(seconds * second);
  await confirmPayment(world, credit);
  return order;
}

async function odd(world: TestWorld, merchantId: number, amount: number) {
  return await storedCredit(world, merchantId, {
    amount: paise(amount),
    template: 'upi-by-vpa',
    payer: 'ravi@okbank',
    recipient: 'alerts@chaipoint.in',
  });
}

async function refused(world: TestWorld, merchantId: number, verdict: string, reason: Reason): Promise<void> {
  const { alertId } = await storedCredit(world, merchantId, { amount: paise(10_00) });
  await world.sql`
    update alerts set verdict = ${verdict}, reason_code = ${reason.code}, facts = ${world.sql.json(reason.facts)}, judged_at = ${world.clock.now()}
    where merchant_id = ${merchantId} and alert_id = ${alertId}`;
}

/** A mailbox that is being read at this moment, without a server behind it. */
export async function connectedMailbox(world: TestWorld, merchantId: number, name = 'shop'): Promise<void> {
  const now = world.clock.now();
  const address = `alerts-${merchantId}@${name.toLowerCase().replace(/\W/g, '')}.in`;
  await world.sql`
    insert into mailboxes (merchant_id, provider, address, username, host, port, credential, revision, connected_at)
    values (${merchantId}, 'gmail', ${address}, ${address}, 'imap.gmail.com', 993, 'sealed', 1, ${later(now, -10 * day)})`;
  await world.sql`
    insert into mailbox_states (merchant_id, connected_since, last_good_poll, last_alert_at)
    values (${merchantId}, ${later(now, -2 * hour)}, ${later(now, -4 * second)}, ${later(now, -minute)})`;
}
