import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { after, beforeEach, test } from 'node:test';
import { createTransport } from 'nodemailer';
import PostalMime from 'postal-mime';
import { minute } from '../../../src/base/clock.ts';
import { randomDigits } from '../../../src/base/random.ts';
import { sendDayReports } from '../../../src/dashboard/home/send-day-reports.ts';
import { newPayToken } from '../../../src/orders/order.ts';
import { sendMails } from '../../../src/outbox/mails/send-mails.ts';
import { notifyOwner } from '../../../src/outbox/notices/notify-owner.ts';
import { addTestUser, callAs, openDashboard } from '../../support/dashboard-site.ts';
import { startMailReceiver } from '../../support/mail-receiver.ts';
import { startPushService } from '../../support/push-service.ts';
import { addTestMerchant, openTestWorld } from '../../support/test-world.ts';
import { prepare, use, useEach } from '../../support/use.ts';

const from = 'Milaan <pay@example.in>';
const home = '/dashboard/notices/choices';
let transport: ReturnType<typeof createTransport>;

const receiver = use(startMailReceiver);
prepare(async () => {
  transport = createTransport({ url: receiver.url });
});
const world = use(() =>
  openTestWorld({
    SMTP_URL: receiver.url,
    MAIL_FROM: from,
    PUSH_KEY: randomBytes(32).toString('hex'),
  }),
);
const site = use(() => openDashboard(world));
after(async () => {
  transport?.close();
});
beforeEach(async () => {
  // Noon of a Sunday in India.
  world.clock.set('2026-11-15T06:30:00Z');
  receiver.mails.length = 0;
  await world.sql`delete from mails`;
  await world.sql`delete from daily_summaries`;
});
const merchant = useEach(() => addTestMerchant(world, { name: 'Chai Point' }));
const owner = useEach(() => addTestUser(world, merchant.merchantId, 'owner'));
const person = useEach(() => callAs(site, world, owner));

const notify = (kind: 'mailbox_seeing' | 'forwarding_heard' | 'deed', dedupeKey: string) =>
  world.sql.begin(tx =>
    notifyOwner(tx, {
      merchantId: merchant.merchantId,
      kind,
      facts: { address: 'a@b.in', deed: 'x', by: 'x', from: 'x', at: new Date(0) } as never,
      dedupeKey,
      now: world.clock.now(),
    }),
  );

async function mailed() {
  receiver.mails.length = 0;
  await sendMails(world, transport, from);
  return receiver.mails.flatMap(({ to }) => to).sort();
}

async function paidOrder(paidAt: string, received: number) {
  const at = new Date(paidAt);
  const orderId = `ML-${randomDigits(10)}`;
  await world.sql`
    insert into orders ${world.sql({
      merchant_id: merchant.merchantId,
      order_id: orderId,
      merchant_order_id: orderId,
      amount_paise: received - 37,
      payable_paise: received,
      received_paise: received,
      status: 'paid',
      created_at: new Date(at.getTime() - minute),
      expires_at: at,
      paid_at: at,
      alert_id: `alt_${orderId}`,
      pay_token: newPayToken(merchant.merchantId),
      account_id: merchant.accountId,
      success_url: 'https://s.example',
      failure_url: 'https://f.example',
      webhook_url: 'https://w.example',
    })}`;
}

test('old addresses of the devices and of the choices lead to Notifications', async () => {
  const { merchantId } = await addTestMerchant(world);
  const caller = await callAs(site, world, await addTestUser(world, merchantId, 'cashier'));
  for (const path of ['devices', 'choices'])
    assert.equal(
      (await caller.get(`/dashboard/notices/${path}`)).headers.location,
      '/dashboard/shop/notifications',
    );
});

test('owners get mails until they choose otherwise, others after they ask; an audited change reaches every owner', async () => {
  const second = await addTestUser(world, merchant.merchantId, 'owner');
  const developer = await addTestUser(world, merchant.merchantId, 'developer');
  await notify('mailbox_seeing', 'one');
  assert.deepEqual(await mailed(), [owner.email, second.email].sort());
  await person.post(home, { 'money-mail': 'on', 'payment-push': 'on', hour: '' });
  await (await callAs(site, world, developer)).post(home, { 'mailbox-mail': 'on', hour: '' });
  await notify('mailbox_seeing', 'two');
  assert.deepEqual(await mailed(), [second.email, developer.email].sort());
  await notify('deed', 'three');
  assert.deepEqual(await mailed(), [owner.email, second.email].sort());
  const boxes = [
    ...(await person.get('/dashboard/shop/notifications')).body.matchAll(
      /name="([\w-]+-(?:mail|push))"[^>]* checked/g,
    ),
  ];
  assert.deepEqual(
    boxes.map(([, name]) => name),
    ['payment-push', 'money-mail'],
  );
});

test('a notice that nobody wants by mail counts as sent, and is not tried again', async () => {
  await person.post(home, { hour: '' });
  await notify('mailbox_seeing', 'one');
  assert.deepEqual(await sendMails(world, transport, from), { sent: 1, failed: 0 });
  assert.equal(receiver.mails.length, 0);
});

test('a cashier chooses payments only for devices, and nobody else’s device can be removed', async () => {
  const cashier = await addTestUser(world, merchant.merchantId, 'cashier');
  const counter = await callAs(site, world, cashier);
  const page = (await counter.get('/dashboard/shop/notifications')).body;
  assert.match(page, /payment-push/);
  assert.doesNotMatch(page, /(money|mailbox|webhooks)-push|-mail"|name="hour"|class="tabs"/);
  await counter.post(home, { hour: '9', 'money-push': 'on' });
  assert.equal((await world.sql`select from daily_summaries`).length, 0);
  const rows = await world.sql`select topic, by_push from notice_choices where user_id = ${cashier.userId}`;
  assert.deepEqual(rows.map(Object.values), [['payment', false]]);
  const service = await startPushService();
  const { subscription } = service.newDevice();
  const added = await counter.post('/dashboard/notices/devices', { ...subscription });
  assert.equal(added.headers.location, '/dashboard/shop/notifications');
  const [device] = await world.sql`select device_id from push_devices where user_id = ${cashier.userId}`;
  const remove = `/dashboard/notices/devices/${device?.['device_id']}/remove`;
  assert.equal((await person.post(remove)).statusCode, 404);
  assert.match((await counter.get('/dashboard/shop/notifications')).body, new RegExp(remove));
  await counter.post('/dashboard/sign-out');
  assert.equal((await world.sql`select from push_devices where user_id = ${cashier.userId}`).length, 0);
  await service.stop();
});

test('without the operator’s push key no device is offered or accepted, and without SMTP no mail', async () => {
  const bare = await openTestWorld();
  const other = await openDashboard(bare);
  const { merchantId } = await addTestMerchant(bare);
  const caller = await callAs(other, bare, await addTestUser(bare, merchantId, 'owner'));
  const page = (await caller.get('/dashboard/shop/notifications')).body;
  assert.match(page, /has not set up notices on devices/);
  assert.doesNotMatch(page, /data-push|-mail"|-push"|name="hour"/);
  const service = await startPushService();
  const added = await caller.post('/dashboard/notices/devices', { ...service.newDevice().subscription });
  assert.equal(added.statusCode, 404);
  await service.stop();
  await other.stop();
  await bare.stop();
});

test('the day’s summary is mailed at the chosen hour, once across processes, in its reader’s language', async () => {
  await person.post(home, { hour: '21' });
  await world.sql`update users set language = 'hi' where user_id = ${owner.userId}`;
  await paidOrder('2026-11-14T16:00:00Z', 70_000); // yesterday, 21:30: after yesterday's summary
  await paidOrder('2026-11-14T18:29:59.999Z', 30_000); // the last moment of yesterday
  await paidOrder('2026-11-14T18:30:00Z', 49_937); // the first of today
  await paidOrder('2026-11-15T15:29:59.999Z', 100_000_00);
  world.clock.set('2026-11-15T15:29:59Z');
  assert.equal(await sendDayReports(world), 0);
  world.clock.set('2026-11-15T15:30:20Z');
  await Promise.all([sendDayReports(world), sendDayReports(world), sendDayReports(world)]);
  assert.deepEqual(await mailed(), [owner.email]);
  const { subject = '', text = '' } = await PostalMime.parse(receiver.mails[0]!.raw);
  assert.equal(subject, 'Chai Point: ₹1,00,499.37 मिले, रविवार, 15 नवंबर');
  assert.match(text, /, रात 9:00 बजे तक/);
  assert.match(text, /मिला: ₹1,00,499\.37, 2 भुगतान में/);
  assert.match(text, /पिछले दिन कुल: ₹1,000\.00, 2 भुगतान में/);
  assert.match(text, /\/dashboard\/reports\?period=2026-11-15\n/);
  assert.match(text, /\/dashboard\/shop\/notifications/);
  world.clock.set('2026-11-16T15:29:59Z');
  await sendDayReports(world);
  assert.deepEqual(await mailed(), []);
});

test('before noon the mail is about the day that ended', async () => {
  await person.post(home, { hour: '8' });
  await paidOrder('2026-11-15T18:00:00Z', 50_000);
  await paidOrder('2026-11-15T19:00:00Z', 60_000); // 00:30 of the 16th
  world.clock.set('2026-11-16T02:31:00Z');
  await sendDayReports(world);
  await mailed();
  const { subject = '', text = '' } = await PostalMime.parse(receiver.mails[0]!.raw);
  assert.equal(subject, 'Chai Point: ₹500.00 received, Sunday, 15 November');
  assert.match(text, /Received: ₹500\.00 in 1 payment\nNothing to decide\n/);
  assert.match(text, /\/dashboard\/reports\?period=2026-11-15\n/);
  assert.doesNotMatch(text, /The day before|until/);
});

test('a summary that cannot be written does not delay other people’s', async () => {
  const { merchantId } = merchant;
  const earlier = await addTestUser(world, merchantId, 'manager');
  await world.sql`
    insert into daily_summaries (merchant_id, user_id, hour, even_empty, next_at)
    values (${merchantId}, ${earlier.userId}, 20, true, '2026-11-15T14:30:00Z')`;
  await world.sql`update users set language = 'no tag' where user_id = ${earlier.userId}`;
  await person.post(home, { hour: '21', even_empty: 'on' });
  world.clock.set('2026-11-15T15:30:00Z');
  assert.equal(await sendDayReports(world), 1);
  assert.deepEqual(await mailed(), [owner.email]);
});

test('an empty day is reported only to those who want that; a day is not reported half a day late', async () => {
  const { merchantId } = merchant;
  // A mailbox that was read a moment ago: nothing needs a person, or the day would not be empty.
  await world.sql`
    insert into mailboxes (merchant_id, provider, address, username, host, port, credential, revision, connected_at)
    values (${merchantId}, 'other', 'a@b.in', 'a', 'imap.b.in', 993, 'sealed', 1, ${world.clock.now()})`;
  await world.sql`insert into mailbox_states (merchant_id) values (${merchantId})`;
  const shown = async (moment: string) => {
    world.clock.set(moment);
    await world.sql`update mailbox_states set last_good_poll = ${world.clock.now()} where merchant_id = ${merchantId}`;
    await sendDayReports(world);
    return await mailed();
  };
  await person.post(home, { hour: '21' });
  assert.deepEqual(await shown('2026-11-15T15:30:00Z'), []);
  await person.post(home, { hour: '21', even_empty: 'on' });
  assert.deepEqual(await shown('2026-11-16T15:30:00Z'), [owner.email]);
  const { text = '' } = await PostalMime.parse(receiver.mails[0]!.raw);
  assert.match(text, /Received: nothing\nNothing to decide\n/);
  assert.deepEqual(await shown('2026-11-18T04:00:00Z'), [], 'yesterday evening is over');
  assert.deepEqual(await shown('2026-11-18T15:30:00Z'), [owner.email]);
  await world.sql`update merchants set disabled_at = ${world.clock.now()} where merchant_id = ${merchantId}`;
  assert.deepEqual(await shown('2026-11-19T15:30:00Z'), [], 'a disabled business is not notified');
  await world.sql`update merchants set disabled_at = null where merchant_id = ${merchantId}`;
  await person.post(home, { hour: '' });
  assert.deepEqual(await shown('2026-11-20T15:30:00Z'), []);
});
