import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openTestSandbox } from '../support/sandbox.ts';
import { use } from '../support/use.ts';

const box = use(openTestSandbox);

const json = { 'content-type': 'application/json' };
const send = (method: 'GET' | 'POST' | 'PUT' | 'OPTIONS', url: string, headers = {}, payload = '') =>
  box.app.inject({ method, url, headers, payload });

test('an unknown or missing way to pay is refused with the list', async () => {
  const { order_id: orderId } = await box.create();
  for (const body of [{}, { how: 'gladly' }, { how: ['exact'] }, { how: null }, { how: 'constructor' }]) {
    const answer = await box.post(`/sandbox/orders/${orderId}/pay`, body);
    assert.equal(answer.statusCode, 400);
    assert.equal(answer.json().error, 'invalid_request');
    assert.equal(
      answer.json().details,
      'how must be one of exact, late, wrong_paise, rounded, swapped, wrong_digit, twice, forged, wrong_recipient, delayed, hours_late, told_twice, false_credit, new_wording, wall, two_claimants',
    );
  }
});

test('an order that the demo business does not have is not found', async () => {
  for (const id of ['ML-0000000000', 'x', '%00', '%F0%9F%98%80', 'a'.repeat(400)]) {
    const answer = await box.post(`/sandbox/orders/${id}/pay`, { how: 'exact' });
    assert.equal(answer.statusCode, 404, id);
    assert.equal(answer.json().error, 'order_not_found');
  }
});

test('the clock accepts a number of seconds, not backwards and with a limit', async () => {
  for (const seconds of [-1, -0.001, '5', true, null, [], 1e300, 3650 * 86_400 + 1]) {
    const answer = await box.post('/sandbox/clock', { advance_seconds: seconds });
    assert.equal(answer.statusCode, 400, String(seconds));
    assert.match(answer.json().details, /^advance_seconds must be a number from 0 to 315360000$/);
  }
  for (const body of ['', '[]', 'null', '{"advance_seconds":1e999}', '{', '{"advance_seconds":1}x'])
    assert.equal((await send('POST', '/sandbox/clock', json, body)).statusCode, 400, body);
  assert.equal(box.sandbox.world.clock.leadMs(), 0);
});

test('a body of the wrong kind is refused with a reason', async () => {
  const form = { 'content-type': 'application/x-www-form-urlencoded' };
  const mail = await send('POST', '/sandbox/mail', form, 'From: a@b.example\r\n\r\n');
  assert.equal(mail.statusCode, 400);
  assert.equal(mail.json().details, 'Content-Type must be message/rfc822');
  const empty = await send('POST', '/sandbox/mail', { 'content-type': 'message/rfc822' });
  assert.match(empty.json().details, /empty/);
  const dns = await send('PUT', '/sandbox/dns/a.example', json, '"x"');
  assert.equal(dns.json().details, 'Content-Type must be text/plain');
});

test('the DNS record needs a name and one printable value', async () => {
  for (const name of [
    'localhost',
    'a..example',
    '-',
    '%20.example',
    `${'a'.repeat(64)}.example`,
    'ü.example',
    'a.example%00',
  ])
    assert.equal((await box.putDns(name, 'x')).statusCode, 400, name);
  for (const value of ['', '\n', 'a\u0000b', 'ü', 'x'.repeat(4097)])
    assert.equal((await box.putDns('a.example', value)).statusCode, 400, JSON.stringify(value).slice(0, 20));
  const put = await box.putDns('A.Example.', ' v=DKIM1; p=abc \n');
  assert.deepEqual(put.json(), { name: 'a.example', value: 'v=DKIM1; p=abc' });
});

test('the sandbox’s DNS stores a thousand names', async () => {
  await box.post('/sandbox/reset', {});
  for (let index = 0; index < 1000; index++) box.sandbox.world.dns.put(`n${index}.example`, 'x');
  const one = await box.putDns('one-more.example', 'x');
  assert.equal(one.statusCode, 400);
  assert.match(one.json().details, /at most 1000 names/);
  assert.equal((await box.putDns('n7.example', 'y')).statusCode, 200);
});

test('other methods and paths are distinguished, and no page of another origin is accepted', async () => {
  const wrong = await send('GET', '/sandbox/clock');
  assert.equal(wrong.statusCode, 405);
  assert.equal(wrong.headers['allow'], 'POST');
  assert.equal(wrong.headers['access-control-allow-origin'], undefined);
  assert.equal((await send('POST', '/sandbox/nothing')).json().error, 'not_found');
  assert.equal((await send('GET', '/sandbox/bar/abc.js')).statusCode, 404);
  const preflight = await send('OPTIONS', '/sandbox/dns/a.example');
  assert.equal(preflight.statusCode, 405);
  assert.equal(preflight.headers['access-control-allow-methods'], undefined);
});
