import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { openTestSandbox, type TestSandbox } from '../support/sandbox.ts';

/** Everything under /sandbox/ that changes something. */
const calls = [
  ['POST', '/sandbox/clock', '{"advance_seconds":1}', 'text/plain'],
  ['POST', '/sandbox/reset', '', 'text/plain'],
  ['POST', '/sandbox/mail', 'From: a@b.example\r\n\r\n', 'message/rfc822'],
  ['PUT', '/sandbox/dns/a.example', 'x', 'text/plain'],
  ['POST', '/sandbox/orders/ML-0000000000/pay', '{"how":"exact"}', 'text/plain'],
  ['POST', '/%73andbox/reset', '', 'text/plain'],
] as const;

function send(box: TestSandbox, [method, url, payload, type]: (typeof calls)[number], headers: object) {
  const given = { host: '127.0.0.1:8080', 'content-type': type, ...headers };
  return box.app.inject({ method, url, payload, headers: given });
}

describe('a sandbox on this machine', () => {
  let box: TestSandbox;
  before(async () => {
    box = await openTestSandbox();
  });
  after(() => box.stop());

  const foreign: [what: string, headers: Record<string, string>][] = [
    ['another site', { origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' }],
    ['another site in an older browser', { origin: 'https://evil.example' }],
    ['another port of this machine', { origin: 'http://127.0.0.1:3000', 'sec-fetch-site': 'same-site' }],
    ['a page without an origin', { origin: 'null' }],
    ['a link or a picture of another site', { 'sec-fetch-site': 'cross-site' }],
    [
      'a name that was pointed at this machine',
      { origin: 'http://evil.example:8080', host: 'evil.example:8080', 'sec-fetch-site': 'same-origin' },
    ],
  ];
  for (const [what, headers] of foreign) {
    test(`a local sandbox refuses ${what}, for every request`, async () => {
      const time = box.sandbox.world.clock.leadMs();
      for (const call of calls) {
        const answer = await send(box, call, headers);
        assert.deepEqual([answer.statusCode, answer.json().error], [403, 'foreign_origin'], call[1]);
        assert.match(answer.json().message, /other sites/);
        assert.equal(answer.headers['access-control-allow-origin'], undefined);
      }
      assert.equal(box.sandbox.world.clock.leadMs(), time);
    });
  }

  test('a local sandbox accepts its own pages under each name of this machine, and programs, which name no origin', async () => {
    for (const host of ['127.0.0.1:8080', 'localhost:8080', '[::1]:8080'])
      for (const site of [{ 'sec-fetch-site': 'same-origin' }, {}]) {
        const headers = { origin: `http://${host}`, host, ...site };
        assert.equal((await send(box, calls[1], headers)).statusCode, 200, host);
      }
    assert.equal((await send(box, calls[1], {})).statusCode, 200);
    assert.equal((await send(box, calls[1], { 'sec-fetch-site': 'none' })).statusCode, 200);
  });

  test('a local sandbox leaves the API and the public status to every origin', async () => {
    const order = await box.create();
    const { pathname } = new URL(order.payment_url);
    const headers = { origin: 'https://shop.example', 'sec-fetch-site': 'cross-site' };
    const answer = await box.app.inject({ url: `${pathname}/status`, headers });
    assert.deepEqual([answer.statusCode, answer.headers['access-control-allow-origin']], [200, '*']);
  });
});

describe('a sandbox that others can reach', () => {
  let box: TestSandbox;
  before(async () => {
    box = await openTestSandbox({ HOST: '0.0.0.0', SANDBOX_PUBLIC: 'yes' });
  });
  after(() => box.stop());

  test('a reachable sandbox accepts its own pages under the name of the request, and no other site', async () => {
    const host = 'sandbox.example.in';
    assert.equal((await send(box, calls[1], { host, origin: `https://${host}` })).statusCode, 200);
    const answer = await send(box, calls[1], { host, origin: 'https://evil.example' });
    assert.equal(answer.json().error, 'foreign_origin');
  });
});
