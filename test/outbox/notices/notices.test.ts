import assert from 'node:assert/strict';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { after, beforeEach, test } from 'node:test';
import { createTransport } from 'nodemailer';
import PostalMime from 'postal-mime';
import { SMTPServer } from 'smtp-server';
import { day, minute, second } from '../../../src/base/clock.ts';
import { openMetrics } from '../../../src/base/metrics.ts';
import { readPlans, storePlans } from '../../../src/business/merchants/plans.ts';
import { insertUser, setPlan } from '../../../src/business/merchants/queries.ts';
import { keepHistory } from '../../../src/orders/history/keep-history.ts';
import { mailPauses, sendMails, startMailing } from '../../../src/outbox/mails/send-mails.ts';
import { notifyOwner } from '../../../src/outbox/notices/notify-owner.ts';
import { listNotices, markNoticeSeen } from '../../../src/outbox/notices/queries.ts';
import { because } from '../../../src/texts/verdicts.ts';
import { sandboxConfig } from '../../support/live-config.ts';
import { settleWindows } from '../../support/settle-windows.ts';
import { addTestMerchant, openTestWorld } from '../../support/test-world.ts';

const world = await openTestWorld();
const mails: { to: string[]; text: string }[] = [];
let isRefusing = false;
const smtp = new SMTPServer({
  disabledCommands: ['STARTTLS', 'AUTH'],
  onData(stream, session, done) {
    let text = '';
    stream.on('data', chunk => {
      text += chunk;
    });
    stream.on('end', () => {
      if (isRefusing) return done(Object.assign(new Error('secret words'), { responseCode: 451 }));
      mails.push({ to: session.envelope.rcptTo.map(({ address }) => address), text });
      done();
    });
  },
});
smtp.listen(0, '127.0.0.1');
await once(smtp.server, 'listening');
const { port } = smtp.server.address() as AddressInfo;
const transport = createTransport({ host: '127.0.0.1', port, connectionTimeout: 5 * second });
const from = 'Milaan <pay@example.in>';
after(async () => {
  transport.close();
  await new Promise<void>(resolve => smtp.close(() => resolve()));
  await world.stop();
});

async function addOwned(email: string): Promise<number> {
  const { merchantId } = await addTestMerchant(world);
  const user = { user_id: 'usr_1', role: 'owner', password_hash: 'x', created_at: world.clock.now() };
  await insertUser(world.sql, { ...user, merchant_id: merchantId, email });
  return merchantId;
}

const notice = (merchantId: number, dedupeKey: string, address = 'a@b.in') => ({
  merchantId,
  kind: 'mailbox_seeing' as const,
  facts: { address },
  dedupeKey,
  now: world.clock.now(),
});

beforeEach(async () => {
  await world.sql`delete from notices`;
  mails.length = 0;
  isRefusing = false;
});

test('a notice is written with its cause, and a failed transaction leaves none', async () => {
  const merchantId = await addOwned('a@example.in');
  await assert.rejects(
    world.sql.begin(async tx => {
      await notifyOwner(tx, notice(merchantId, 'k'));
      throw new Error('the cause failed');
    }),
  );
  assert.deepEqual((await listNotices(world, merchantId)).notices, []);
});

test('the same key is reported once per business', async () => {
  const [one, two] = [await addOwned('b@example.in'), await addOwned('c@example.in')];
  assert.equal(await world.sql.begin(tx => notifyOwner(tx, notice(one, 'k'))), true);
  assert.equal(await world.sql.begin(tx => notifyOwner(tx, notice(one, 'k'))), false);
  assert.equal(await world.sql.begin(tx => notifyOwner(tx, notice(two, 'k'))), true);
  assert.equal((await listNotices(world, one)).notices.length, 1);
});

test('the owner gets one mail, and no line break in a subject adds a header', async () => {
  const merchantId = await addOwned('owner@example.in');
  await world.sql.begin(tx =>
    notifyOwner(tx, notice(merchantId, 'k', 'fails\r\nBcc: thief@example.com\u0000')),
  );
  assert.deepEqual(await sendMails(world, transport, from), { sent: 1, failed: 0 });
  assert.deepEqual(await sendMails(world, transport, from), { sent: 0, failed: 0 });
  assert.deepEqual(
    mails.map(mail => mail.to),
    [['owner@example.in']],
  );
  assert.doesNotMatch(mails[0]!.text, /^Bcc:/im);
  assert.match(mails[0]!.text, /The mailbox fails Bcc: thief/);
});

test('each owner gets mails in their own language, with India’s time', async () => {
  const merchantId = await addOwned('en@example.in');
  const priya = { user_id: 'usr_2', role: 'owner', password_hash: 'x', created_at: world.clock.now() };
  await insertUser(world.sql, { ...priya, merchant_id: merchantId, email: 'hi@example.in' });
  await world.sql`update users set language = 'hi' where email = 'hi@example.in'`;
  const since = new Date('2026-11-14T20:15:00.000Z');
  await world.sql.begin(tx =>
    notifyOwner(tx, {
      ...notice(merchantId, 'k'),
      kind: 'mailbox_blind',
      facts: { since, address: 'a@b.in', cause: because('server_broke_off') },
    }),
  );
  assert.deepEqual(await sendMails(world, transport, from), { sent: 1, failed: 0 });
  const read = await Promise.all(
    mails.map(async mail => ({ to: mail.to, mail: await PostalMime.parse(mail.text) })),
  );
  const [english, hindi] = [
    read.find(({ to }) => to[0] === 'en@example.in'),
    read.find(({ to }) => to[0] === 'hi@example.in'),
  ];
  assert.equal(read.length, 2);
  assert.equal(english?.mail.subject, 'Payments are not being confirmed: a@b.in cannot be read');
  assert.match(english?.mail.text ?? '', /has not been readable since 15 November 2026, 1:45 am/);
  assert.equal(hindi?.mail.subject, 'भुगतान की पुष्टि नहीं हो रही: a@b.in पढ़ा नहीं जा रहा');
  assert.match(hindi?.mail.text ?? '', /मेल सर्वर ने बीच में ही बात तोड़ दी।/);
  assert.notEqual(english?.mail.messageId, hindi?.mail.messageId);
});

test('a refused mail is tried again on the schedule, then only on the dashboard, with its reason in the outbox', async () => {
  const merchantId = await addOwned('d@example.in');
  await world.sql.begin(tx => notifyOwner(tx, notice(merchantId, 'k')));
  isRefusing = true;
  const start = world.clock.now();
  for (const pause of [...mailPauses, 0]) {
    assert.deepEqual(await sendMails(world, transport, from), { sent: 0, failed: 1 });
    assert.deepEqual(await sendMails(world, transport, from), { sent: 0, failed: 0 });
    world.clock.advance(pause);
  }
  world.clock.advance(1 * minute);
  assert.deepEqual(await sendMails(world, transport, from), { sent: 0, failed: 0 });
  assert.equal((await listNotices(world, merchantId)).notices.length, 1);
  const [kept] = await world.sql<{ failure: string }[]>`select failure from mails`;
  assert.match(kept!.failure, /did not take it \(\w+ 451\)/);
  assert.doesNotMatch(kept!.failure, /secret words/);
  assert.ok(world.clock.now() > start);
});

test('another worker sends the notice of a worker that died', async () => {
  const merchantId = await addOwned('e@example.in');
  await world.sql.begin(tx => notifyOwner(tx, notice(merchantId, 'k')));
  const dying = { sendMail: () => new Promise<never>(() => {}) };
  void sendMails(world, dying, from);
  while ((await world.sql`select from mails where tries = 1`).length === 0);
  assert.deepEqual(await sendMails(world, transport, from), { sent: 0, failed: 0 });
  world.clock.advance(3 * minute);
  assert.deepEqual(await sendMails(world, transport, from), { sent: 1, failed: 0 });
});

test('week-old news is not mailed when SMTP comes late, and stays on the dashboard', async () => {
  const merchantId = await addOwned('f@example.in');
  await world.sql.begin(tx => notifyOwner(tx, notice(merchantId, 'k')));
  world.clock.advance(4 * day);
  assert.deepEqual(await sendMails(world, transport, from), { sent: 0, failed: 0 });
  assert.equal((await listNotices(world, merchantId)).notices.length, 1);
});

test('pages continue where they ended, and nobody marks another business’s notice as seen', async () => {
  const [one, two] = [await addOwned('g@example.in'), await addOwned('h@example.in')];
  for (let count = 0; count < 60; count++)
    await world.sql.begin(tx => notifyOwner(tx, notice(one, `k${count}`)));
  const first = await listNotices(world, one);
  const rest = await listNotices(world, one, { before: first.before });
  assert.deepEqual([first.notices.length, rest.notices.length, rest.before], [50, 10, null]);
  const id = first.notices[0]!.notice_id;
  assert.equal(await markNoticeSeen(world.sql, two, id, world.clock.now()), 'unknown');
  assert.equal(await markNoticeSeen(world.sql, one, id, world.clock.now()), 'seen');
  assert.equal(await markNoticeSeen(world.sql, one, id, world.clock.now()), 'before');
  assert.equal((await listNotices(world, one, { onlyUnseen: true })).notices[0]?.notice_id, id - 1);
});

test('a notice is deleted two weeks after the plan’s history window, seen or not', async () => {
  const merchantId = await addOwned('j@example.in');
  const plan = readPlans(null)[0]!;
  await storePlans(world.sql, [plan, { ...plan, plan: 'month', history_days: 30 }]);
  await setPlan(world.sql, merchantId, 'month');
  await settleWindows(world.sql);
  await world.sql.begin(tx => notifyOwner(tx, notice(merchantId, 'k')));
  world.clock.advance((30 + 14) * day - 1);
  assert.equal((await keepHistory(world)).notices, 0);
  world.clock.advance(1);
  assert.equal((await keepHistory(world)).notices, 1);
  assert.deepEqual((await listNotices(world, merchantId)).notices, []);
});

test('the mailer sends waiting mails while SMTP is configured, and otherwise does not run', async () => {
  const merchantId = await addOwned('i@example.in');
  await world.sql.begin(tx => notifyOwner(tx, notice(merchantId, 'k')));
  await startMailing({ ...world, metrics: openMetrics() }).stop();
  assert.equal(mails.length, 0);
  const config = sandboxConfig({ SMTP_URL: `smtp://127.0.0.1:${port}`, MAIL_FROM: 'pay@example.in' });
  const mailing = startMailing({ ...world, config, metrics: openMetrics() });
  while ((await world.sql`select from mails where sent_at is not null`).length === 0);
  await mailing.stop();
  assert.deepEqual(
    mails.map(mail => mail.to),
    [['i@example.in']],
  );
});

test('an incomplete or wrong mail configuration is reported in a sentence', () => {
  assert.throws(() => sandboxConfig({ SMTP_URL: 'smtp://127.0.0.1' }), /set both or none/);
  assert.throws(() => sandboxConfig({ SMTP_URL: 'http://a', MAIL_FROM: 'a@b' }), /SMTP_URL must look like/);
  assert.throws(() => sandboxConfig({ SMTP_URL: 'smtp://a', MAIL_FROM: 'nobody' }), /MAIL_FROM must be/);
});
