import assert from 'node:assert/strict';
import { beforeEach, test } from 'node:test';
import { day, hour, minute, second } from '../../../src/base/clock.ts';
import { newLease } from '../../../src/base/database/row-lease.ts';
import { sweepAccounts } from '../../../src/business/accounts/start-account-work.ts';
import { sealAgain } from '../../../src/operator/seal-again.ts';
import { deliverChat, startChatting } from '../../../src/outbox/chats/deliver-chat.ts';
import { claimChats } from '../../../src/outbox/chats/queries.ts';
import { news } from '../../../src/texts/en/mails.ts';
import { addChat, chatRound } from '../../support/chat-stage.ts';
import { business, never, pay, tell, usePushStage, world } from '../../support/push-stage.ts';
import { use } from '../../support/use.ts';
import { type Answering, answer, startReceiver } from '../../support/webhook-receiver.ts';

usePushStage();

let answering: Answering;
const receiver = use(() => startReceiver((response, request) => answering(response, request)));
beforeEach(async () => {
  receiver.received.length = 0;
  answering = answer(200, '{"ok":true}');
  await world.sql`delete from chat_messages`;
});

const texts = () => receiver.received.map(({ body }) => JSON.parse(body).text as string);
const round = () => chatRound(world);
const add = (options: Parameters<typeof addChat>[3] = {}) =>
  addChat(world, business.merchantId, receiver.url, options);
const chats = () => world.sql`select * from chats where merchant_id = ${business.merchantId}`;
const told = async () =>
  (
    await world.sql`select facts from notices where merchant_id = ${business.merchantId} and kind = 'chat_off'`
  ).length;

test('a chat message has the payment’s sum and order, in the chat’s language, after the commit', async () => {
  await add();
  await add({ language: 'hi' });
  const orderId = await pay();
  assert.equal(receiver.received.length, 0, 'nothing leaves inside the transaction');
  assert.deepEqual(await round(), ['sent', 'sent']);
  const [one, other] = texts().sort();
  assert.match(
    one!,
    new RegExp(`^₹[\\d,]+\\.\\d\\d received\\n${orderId} · Chai Point\\nhttp.+/orders/${orderId}$`),
  );
  assert.match(other!, /मिले/);
  assert.equal(receiver.received[0]!.headers['content-type'], 'application/json');
  assert.deepEqual(await round(), [], 'and once');
});

test('each chat hears of its topics alone, and the name of a payer is in no heading', async () => {
  await add({ topics: ['payment'] });
  await add({ topics: ['money'] });
  await add({ topics: ['mailbox', 'webhooks'] });
  for (const kind of ['mailbox_blind', 'webhook_working', 'money_unmatched', 'deed'] as const)
    await tell(kind);
  const outcomes = [...(await round()), ...(await round()), ...(await round())];
  assert.equal(outcomes.length, 3);
  assert.deepEqual(
    texts()
      .map(text => text.split('/').at(-1))
      .sort(),
    ['mailbox', 'money', 'webhooks'],
  );
  for (const [kind, { subject }] of Object.entries(news))
    assert.doesNotMatch(subject, /payer|purpose|remark|customer/, kind);
});

test('a service that asks for a pause gets it, the whole chat waits, and nothing is lost or out of order', async () => {
  await add();
  await pay();
  await pay();
  const asks: [Answering, number][] = [
    [answer(429, '{"ok":false,"error_code":429,"parameters":{"retry_after":35}}'), 35 * second],
    [answer(429, '{"message":"rate limited","retry_after":0.65,"global":false}'), 650],
    [answer(429, 'rate_limited', { 'retry-after': '7' }), 7 * second],
    [answer(429, ''), 30 * second],
    [answer(429, '{"retry_after":1e9}'), 1 * hour],
  ];
  for (const [asked, pause] of asks.slice(0, 4)) {
    answering = asked;
    assert.deepEqual(await round(), ['paused']);
    world.clock.advance(pause - 1);
    assert.deepEqual(await round(), []);
    world.clock.advance(1);
  }
  answering = answer(200);
  receiver.received.length = 0;
  assert.deepEqual([...(await round()), ...(await round())], ['sent', 'sent']);
  const rows =
    await world.sql`select order_id from orders where merchant_id = ${business.merchantId} order by paid_at, order_id`;
  assert.equal(new Set(texts()).size, rows.length);
  await pay();
  answering = asks[4]![0];
  assert.deepEqual(await round(), ['paused']);
  world.clock.advance(1 * hour);
  assert.deepEqual(
    await round(),
    ['dropped'],
    'a payment of an hour ago is no news; no pause is longer than that',
  );
});

for (const [what, status, body] of [
  ['a revoked token', 401, '{"ok":false,"error_code":401,"description":"Unauthorized"}'],
  ['a bot that was thrown out', 403, '{"ok":false,"description":"Forbidden: bot was kicked"}'],
  ['a chat that is gone', 400, '{"ok":false,"description":"Bad Request: chat not found"}'],
  ['an address that moved', 302, ''],
] as const)
  test(`${what} is told the owner once, and nothing is sent there any more`, async () => {
    const chatId = await add();
    answering = answer(status, body);
    await pay();
    await pay();
    assert.deepEqual(await round(), ['refused']);
    assert.equal(await told(), 1);
    const [chat] = await chats();
    assert.equal(chat!['off_reason'].facts.status, status);
    assert.equal((await world.sql`select from chat_messages where chat_id = ${chatId}`).length, 0);
    await pay();
    assert.deepEqual(await round(), []);
    assert.deepEqual([await told(), receiver.received.length], [1, 1]);
  });

test('a server that is down is asked ever less often, keeps its news while they are of use, and after two days is switched off', async () => {
  await add();
  answering = answer(503);
  await tell('mailbox_blind');
  for (const pause of [10 * second, 1 * minute, 5 * minute, 15 * minute, 15 * minute]) {
    assert.deepEqual(await round(), ['failed']);
    world.clock.advance(pause - 1);
    assert.deepEqual(await round(), []);
    world.clock.advance(1);
  }
  answering = answer(200);
  assert.deepEqual(await round(), ['sent']);
  assert.equal((await chats())[0]!['failing_since'], null);
  answering = answer(200, '{"code":19001,"msg":"param invalid"}');
  await pay();
  assert.deepEqual(await round(), ['failed'], 'Lark says 200 to what it refuses');
  world.clock.advance(2 * day);
  assert.deepEqual(await round(), ['dropped']);
  await pay();
  assert.deepEqual(await round(), ['refused']);
  assert.equal(await told(), 1);
});

test('two workers take a chat once; one that dies after the sending leaves a repeat, and one that was slow writes nothing', async () => {
  await add();
  await pay();
  const claim = () => claimChats(world.sql, newLease(world.clock.now(), 60 * second), 64);
  const [first, other] = await Promise.all([claim(), claim()]);
  const [slow] = [...first, ...other];
  assert.equal(first.length + other.length, 1);
  world.clock.advance(60 * second);
  assert.deepEqual(await round(), ['sent']);
  answering = answer(403);
  await deliverChat(world, slow!, never);
  assert.deepEqual([await told(), (await chats())[0]!['off_reason']], [0, null]);
  assert.equal(receiver.received.length, 2);
});

test('a private address is called by nobody’s chat, whatever its name says at the time of sending', async () => {
  await add();
  await pay();
  const live = { ...world, config: { ...world.config, mode: 'live' as const } };
  const [chat] = await claimChats(world.sql, newLease(world.clock.now(), 60 * second), 64);
  assert.equal(await deliverChat(live, chat!, never), 'refused');
  assert.equal(receiver.received.length, 0);
});

test('the address is sealed, moves to a new key, and opens for its own chat alone', async () => {
  const [one, other] = [await add(), await add()];
  const rows = await chats();
  assert.ok(!JSON.stringify(rows).includes(receiver.url));
  assert.equal((await sealAgain(world)).lost, 0);
  await world.sql`update chats set sealed = (select sealed from chats where chat_id = ${one}) where chat_id = ${other}`;
  await pay();
  const due = await claimChats(world.sql, newLease(world.clock.now(), 60 * second), 64);
  const swapped = due.find(({ chat_id }) => chat_id === other);
  await assert.rejects(deliverChat(world, swapped!, never));
});

test('the worker sends by itself, is cut off when it stops, and what waits too long is deleted', async () => {
  await add();
  await pay();
  const worker = startChatting(world);
  await receiver.until(1);
  await worker.stop();
  await pay();
  world.clock.advance(1 * hour);
  await sweepAccounts(world);
  assert.equal((await world.sql`select from chat_messages`).length, 0);
});

test('a notice of an unknown kind does not stop the messages behind it', async () => {
  await add({ topics: ['mailbox'] });
  await tell('mailbox_blind');
  await world.sql`update notices set kind = 'constructor', facts = '5' where merchant_id = ${business.merchantId}`;
  await tell('mailbox_blind', 'behind it');
  assert.deepEqual(await round(), ['sent']);
  assert.deepEqual(await round(), ['sent']);
  assert.match(texts()[0]!, /^A notice of the kind “constructor”/);
});
