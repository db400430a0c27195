import assert from 'node:assert/strict';
import { beforeEach, test } from 'node:test';
import { addChat, chatRound } from '../../support/chat-stage.ts';
import { addTestUser, callAs, openDashboard } from '../../support/dashboard-site.ts';
import { addTestMerchant, openTestWorld } from '../../support/test-world.ts';
import { prepare, use, useEach } from '../../support/use.ts';
import { type Answering, answer, startReceiver } from '../../support/webhook-receiver.ts';

const home = '/dashboard/notices/chats';
let answering: Answering;

const world = use(openTestWorld);
prepare(async () => {
  // Only a sandbox may call this machine.
  world.config = { ...world.config, mode: 'sandbox' };
});
const site = use(() => openDashboard(world));
const receiver = use(() => startReceiver((response, request) => answering(response, request)));
beforeEach(async () => {
  answering = answer(200);
  await world.sql`delete from chat_messages`;
  receiver.received.length = 0;
});
const business = useEach(() => addTestMerchant(world, { name: 'Chai Point' }));
const owner = useEach(() => addTestUser(world, business.merchantId, 'owner'));
const person = useEach(() => callAs(site, world, owner));

const chats = () => world.sql`select * from chats where merchant_id = ${business.merchantId}`;
const token = `123456789:${'A'.repeat(35)}`;
const slack = { template: '{"text": "{text}"}', topic: 'payment' };

test('an address is added with its topics, greeted by a test, told of to the owner, and its secret never shown', async () => {
  const sent = await person.post(home, { ...slack, url: `${receiver.url}/s3cret` });
  assert.equal(sent.statusCode, 303);
  assert.deepEqual(await chatRound(world), ['sent']);
  assert.match(JSON.parse(receiver.received[0]!.body).text, /^Notices will look like this\nChai Point\n/);
  assert.equal(receiver.received[0]!.path, '/hook/s3cret');
  const [chat] = await chats();
  assert.deepEqual([chat!['place'], chat!['topics']], ['127.0.0.1', ['payment']]);
  const page = (await person.get('/dashboard/shop/notifications')).body;
  assert.match(page, /<bdi>127\.0\.0\.1<\/bdi>/);
  assert.doesNotMatch(page, /s3cret/);
  const audit =
    await world.sql`select action, subject from audit_log where merchant_id = ${business.merchantId} and action = 'chat.add'`;
  assert.equal(audit[0]!['subject'], '127.0.0.1');
  const notices =
    await world.sql`select facts from notices where merchant_id = ${business.merchantId} and kind = 'deed'`;
  assert.equal(notices[0]!['facts'].deed.code, 'chat_added');
});

test('a chat of Telegram becomes a call of its bot, and neither the token nor the call is readable in the database', async () => {
  assert.equal((await person.post(home, { token, chat: '-1001234567890', topic: 'money' })).statusCode, 303);
  const [chat] = await chats();
  const binding = `merchant:${business.merchantId}:chat:${chat!['chat_id']}`;
  const { url, template } = JSON.parse(world.secrets.open(chat!['sealed'], binding));
  assert.equal(url, `https://api.telegram.org/bot${token}/sendMessage`);
  assert.deepEqual(JSON.parse(template), {
    chat_id: '-1001234567890',
    text: '{text}',
    link_preview_options: { is_disabled: true },
  });
  assert.equal(chat!['place'], 'Telegram -1001234567890');
  // A sealed text sometimes has four such letters by chance, so search for eight.
  assert.ok(!JSON.stringify(chat).includes('AAAAAAAA'));
  assert.ok(!JSON.stringify(await world.sql`select * from audit_log`).includes('AAAA'));
});

test('what cannot work is refused next to its field, and a typed token does not come back', async () => {
  const cases: [Record<string, string>, RegExp][] = [
    [{ token: '12:x', chat: '1', topic: 'money' }, /id="token-error">a token is a number/],
    [{ token, chat: 'my group', topic: 'money' }, /id="chat-error">a chat is a number/],
    [{ ...slack, url: 'http://chat.example/x' }, /id="url-error">must be a public address/],
    [{ ...slack, url: 'https://10.0.0.1/x' }, /id="url-error">/],
    [
      { ...slack, url: receiver.url, template: '{"text": {text}}' },
      /id="template-error">with its placeholders/,
    ],
    [
      { ...slack, url: receiver.url, template: '{"a":"{payer}"}' },
      /id="template-error">\{payer\} is no placeholder/,
    ],
    [{ url: receiver.url, template: slack.template }, /role="alert">Choose at least one/],
    [{}, /id="url-error">/],
  ];
  for (const [form, shown] of cases) {
    const { statusCode: status, body } = await person.post(home, form);
    assert.equal(status, 400);
    assert.match(body, shown);
    assert.doesNotMatch(body, /AAAA/);
  }
  assert.equal((await chats()).length, 0);
});

test('at most five chats, also when many are added at once', async () => {
  await Promise.all(Array.from({ length: 8 }, () => person.post(home, { ...slack, url: receiver.url })));
  assert.equal((await chats()).length, 5);
  assert.match((await person.post(home, { ...slack, url: receiver.url })).body, /There are 5 chats already/);
});

test('a chat that was switched off says why, and a test that arrives switches it on again', async () => {
  const chatId = await addChat(world, business.merchantId, receiver.url);
  const press = () => person.post(`${home}/${chatId}/test`, {});
  answering = answer(403);
  await press();
  assert.deepEqual(await chatRound(world), ['refused']);
  assert.match((await person.get('/dashboard/shop/notifications')).body, /Off: answered 403\./);
  answering = answer(200);
  assert.equal((await press()).statusCode, 303);
  assert.deepEqual(await chatRound(world), ['sent']);
  assert.doesNotMatch((await person.get('/dashboard/shop/notifications')).body, /Off: /);
  assert.equal((await person.post(`${home}/${chatId}/remove`, {})).statusCode, 303);
  assert.equal((await chats()).length, 0);
});

test('another business’s chat can be neither tested nor removed; who only reads sees no form', async () => {
  const other = await addTestMerchant(world);
  const chatId = await addChat(world, other.merchantId, receiver.url);
  for (const what of ['test', 'remove'])
    assert.equal((await person.post(`${home}/${chatId}/${what}`, {})).statusCode, 404);
  assert.deepEqual(await chatRound(world), []);
  const auditor = await addTestUser(world, business.merchantId, 'auditor');
  const page = (await (await callAs(site, world, auditor)).get('/dashboard/shop/notifications')).body;
  assert.doesNotMatch(page, /name="token"/);
});
