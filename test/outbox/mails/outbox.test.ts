import assert from 'node:assert/strict';
import { after, beforeEach, test } from 'node:test';
import { createTransport } from 'nodemailer';
import { hour, minute, second } from '../../../src/base/clock.ts';
import { sweepAccounts } from '../../../src/business/accounts/start-account-work.ts';
import { insertUser } from '../../../src/business/merchants/queries.ts';
import { queueMail, sealLetter } from '../../../src/outbox/mails/queue-mail.ts';
import { sendMails } from '../../../src/outbox/mails/send-mails.ts';
import { notifyOwner } from '../../../src/outbox/notices/notify-owner.ts';
import { startMailReceiver } from '../../support/mail-receiver.ts';
import { addTestMerchant, openTestWorld } from '../../support/test-world.ts';

const receiver = await startMailReceiver();
const world = await openTestWorld();
const transport = createTransport({ url: receiver.url });
const away = { sendMail: () => Promise.reject(Object.assign(new Error('words'), { code: 'ECONNREFUSED' })) };
const from = 'Milaan <pay@example.in>';
after(async () => {
  transport.close();
  await Promise.all([world.stop(), receiver.stop()]);
});

beforeEach(async () => {
  await world.sql`delete from mails`;
  receiver.mails.length = 0;
});

const { merchantId } = await addTestMerchant(world);
const owner = { user_id: 'usr_1', role: 'owner', password_hash: 'x', created_at: world.clock.now() };
await insertUser(world.sql, { ...owner, merchant_id: merchantId, email: 'owner@example.in' });

const letter = (recipient: string) =>
  sealLetter(world, { merchantId, recipient, subject: 'A link', text: 'https://pay.example/secret' });
const write = (recipient: string, usefulFor = 1 * hour) =>
  world.sql.begin(tx => queueMail(tx, { ...letter(recipient), now: world.clock.now(), usefulFor }));
const rows = () =>
  world.sql<{ tries: number; sealed_text: string | null; next_try_at: Date | null; sent_at: Date | null }[]>`
    select tries, sealed_text, next_try_at, sent_at from mails order by mail_id`;
const recipients = () => receiver.mails.map(({ to }) => to[0]);

test('a letter is sent before older news, because somebody may wait for it at a screen', async () => {
  const facts = { address: 'a@b.in' };
  const news = { merchantId, kind: 'mailbox_seeing' as const, facts, dedupeKey: 'k', now: world.clock.now() };
  await world.sql.begin(tx => notifyOwner(tx, news));
  world.clock.advance(1 * second);
  await write('waiting@example.in');
  assert.deepEqual(await sendMails(world, transport, from), { sent: 2, failed: 0 });
  assert.deepEqual(recipients(), ['waiting@example.in', 'owner@example.in']);
});

test('two workers share the outbox, and each mail is sent once', async () => {
  for (let at = 0; at < 8; at++) await write(`${at}@example.in`);
  const rounds = await Promise.all(Array.from({ length: 4 }, () => sendMails(world, transport, from)));
  assert.equal(
    rounds.reduce((sum, { sent }) => sum + sent, 0),
    8,
  );
  assert.equal(new Set(recipients()).size, 8);
  assert.equal(receiver.mails.length, 8);
});

test('a link of one hour is tried for that hour, and then its text is deleted', async () => {
  await write('late@example.in');
  const start = world.clock.now().getTime();
  let lastTry = start;
  for (;;) {
    assert.deepEqual(await sendMails(world, away, from), { sent: 0, failed: 1 });
    lastTry = world.clock.now().getTime();
    const [row] = await rows();
    if (!row!.next_try_at) break;
    assert.notEqual(row!.sealed_text, null);
    world.clock.set(row!.next_try_at);
  }
  assert.ok(lastTry - start > 45 * minute && lastTry - start < 1 * hour);
  assert.deepEqual(await rows(), [{ tries: 6, sealed_text: null, next_try_at: null, sent_at: null }]);
});

test('a letter that could not be sent in time is not sent later, and the sweep deletes it', async () => {
  await write('over@example.in');
  world.clock.advance(1 * hour);
  assert.deepEqual(await sendMails(world, transport, from), { sent: 0, failed: 0 });
  await sweepAccounts(world);
  assert.deepEqual(await rows(), [{ tries: 0, sealed_text: null, next_try_at: null, sent_at: null }]);
});

test('a letter that is sent again carries the Message-ID of the first time', async () => {
  await write('twice@example.in');
  const accepting = {
    sendMail: async (mail: Parameters<typeof transport.sendMail>[0]) => {
      await transport.sendMail(mail);
      throw Object.assign(new Error('the answer was lost'), { code: 'ETIMEDOUT' });
    },
  };
  await sendMails(world, accepting, from);
  world.clock.advance(1 * minute);
  assert.deepEqual(await sendMails(world, transport, from), { sent: 1, failed: 0 });
  const ids = receiver.mails.map(({ raw }) => /^Message-ID: (\S+)/im.exec(raw)?.[1]);
  assert.equal(ids.length, 2);
  assert.match(ids[0]!, /^<mail-\d+-\d+@example\.in>$/);
  assert.equal(ids[0], ids[1]);
});

test('a worker slower than its lease cannot reset a mail that another one is sending', async () => {
  await write('slow@example.in', 3 * hour);
  let fail = (_: Error) => {};
  const slow = { sendMail: () => new Promise<never>((_, reject) => (fail = reject)) };
  const slowRound = sendMails(world, slow, from);
  while ((await rows())[0]!.tries === 0);
  world.clock.advance(3 * minute);
  let take = () => {};
  const second = { sendMail: () => new Promise<void>(resolve => (take = resolve)) };
  const secondRound = sendMails(world, second, from);
  while ((await rows())[0]!.tries === 1);
  fail(new Error('at last'));
  assert.equal((await slowRound).failed, 1);
  world.clock.advance(1 * minute);
  assert.deepEqual(await sendMails(world, transport, from), { sent: 0, failed: 0 });
  take();
  assert.equal((await secondRound).sent, 1);
});

test('the mail of a notice is sent with the notice', async () => {
  const facts = { address: 'a@b.in' };
  const news = { merchantId, kind: 'mailbox_seeing' as const, facts, dedupeKey: 'x', now: world.clock.now() };
  await world.sql.begin(tx => notifyOwner(tx, news));
  assert.equal((await rows()).length, 1);
  await world.sql`delete from notices where merchant_id = ${merchantId}`;
  assert.deepEqual(await rows(), []);
});

test('a letter that cannot be opened delays no other, and is given up after its tries with a reason', async () => {
  await write('poisoned@example.in');
  await world.sql`update mails set sealed_text = 'abcd.xx', next_try_at = next_try_at - interval '1 day'`;
  await write('waiting@example.in');
  assert.deepEqual(await sendMails(world, transport, from), { sent: 1, failed: 1 });
  assert.deepEqual(recipients(), ['waiting@example.in']);
  const [mail] = await world.sql`select failure from mails where sent_at is null`;
  assert.match(mail!['failure'], /cannot be read: .*not in SECRET_KEY/);
  for (let round = 0; round < 9; round++) {
    world.clock.advance(10 * minute);
    await sendMails(world, transport, from);
  }
  const [given] = await world.sql`select sealed_text, next_try_at from mails where sent_at is null`;
  assert.deepEqual({ ...given }, { sealed_text: null, next_try_at: null });
});

test('a notice that this release has no words for is stored as such and tried again, and the others are sent', async () => {
  const now = world.clock.now();
  const facts = { address: 'a@b.in' };
  const news = (dedupeKey: string, kind: string) =>
    world.sql.begin(tx =>
      notifyOwner(tx, { merchantId, kind: kind as 'mailbox_seeing', facts, dedupeKey, now }),
    );
  for (const kind of ['constructor', '__proto__', 'of_next_year']) {
    await news(kind, 'deed');
    await world.sql`update notices set kind = ${kind} where dedupe_key = ${kind}`;
  }
  let bomb: unknown = 'x';
  for (let depth = 0; depth < 40; depth++) bomb = { code: '{x}{x}', facts: { x: bomb } };
  await news('bomb', 'mailbox_seeing');
  await world.sql`update notices set facts = ${world.sql.json({ address: bomb })} where dedupe_key = 'bomb'`;
  await news('behind them', 'mailbox_seeing');
  assert.deepEqual(await sendMails(world, transport, from), { sent: 2, failed: 3 });
  assert.match(receiver.mails[0]!.raw, /\{x\}\{x\}/);
  const failed = await world.sql<{ failure: string; next_try_at: Date | null }[]>`
    select failure, next_try_at from mails where sent_at is null order by failure`;
  assert.deepEqual(
    failed.map(({ failure }) => /no words: .*“(.*)”/.exec(failure)?.[1]),
    ['__proto__', 'constructor', 'of_next_year'],
  );
  assert.ok(failed.every(({ next_try_at }) => next_try_at !== null));
});

test('connections that die while a sent mail is recorded neither send it twice nor count a try', async () => {
  const { sql } = world;
  await sql.unsafe(`
    create sequence deaths;
    create function die() returns trigger language plpgsql as $$
      begin if nextval('deaths') <= 2 then perform pg_terminate_backend(pg_backend_pid()); end if; return new; end $$;
    create trigger die before update of sent_at on mails for each row execute function die()`);
  await write('once@example.in');
  assert.deepEqual(await sendMails(world, transport, from), { sent: 1, failed: 0 });
  await sql.unsafe('drop trigger die on mails');
  world.clock.advance(10 * minute);
  assert.deepEqual(await sendMails(world, transport, from), { sent: 0, failed: 0 });
  assert.equal(receiver.mails.length, 1);
  const [row] = await rows();
  assert.deepEqual([row!.tries, row!.next_try_at], [1, null]);
});
