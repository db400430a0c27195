import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Conforms, conformanceTo } from '../support/openapi-conformance.ts';
import { openTestSandbox } from '../support/sandbox.ts';
import { prepare, use } from '../support/use.ts';

let conforms: Conforms;

const box = use(openTestSandbox);
prepare(async () => {
  conforms = conformanceTo((await box.app.inject('/api/v1/openapi.json')).json());
});

test('the sandbox has a section of its own, without a key', async () => {
  const document = (await box.app.inject('/api/v1/openapi.json')).json();
  assert.deepEqual(
    document.tags.map((tag: { name: string }) => tag.name),
    ['Orders', 'Sandbox'],
  );
  const own = Object.entries<Record<string, { tags: string[]; security: unknown }>>(document.paths).filter(
    ([path]) => path.startsWith('/sandbox/'),
  );
  assert.equal(own.length, 9);
  for (const [path, operations] of own)
    for (const { tags, security } of Object.values(operations))
      assert.deepEqual({ tags, security }, { tags: ['Sandbox'], security: [] }, path);
});

test('answers and refusals of the sandbox conform to the document', async () => {
  const pay = '/sandbox/orders/{order_id}/pay';
  const { order_id: orderId } = await box.create();
  const large = { how: 'x'.repeat(70_000) };
  conforms('/sandbox/scenarios', 'get', await box.app.inject('/sandbox/scenarios'));
  conforms(pay, 'post', await box.post(`/sandbox/orders/${orderId}/pay`, { how: 'twice' }));
  conforms(pay, 'post', await box.post(`/sandbox/orders/${orderId}/pay`, { how: 'x' }));
  conforms(pay, 'post', await box.post('/sandbox/orders/x/pay', { how: 'exact' }));
  conforms(pay, 'post', await box.post(`/sandbox/orders/${orderId}/pay`, large));
  conforms('/sandbox/mail', 'post', await box.mail('From: a@b.example\r\n\r\n'));
  conforms('/sandbox/mail', 'post', await box.mail(''));
  conforms('/sandbox/mail', 'post', await box.mail(Buffer.alloc(1024 * 1024 + 1)));
  conforms('/sandbox/dns/{name}', 'put', await box.putDns('a.example', 'x'));
  conforms('/sandbox/dns/{name}', 'put', await box.putDns('a', 'x'));
  conforms('/sandbox/dns/{name}', 'put', await box.putDns('a.example', 'x'.repeat(70_000)));
  conforms('/sandbox/clock', 'post', await box.post('/sandbox/clock', { advance_seconds: 1 }));
  conforms('/sandbox/clock', 'post', await box.post('/sandbox/clock', {}));
  conforms('/sandbox/clock', 'post', await box.post('/sandbox/clock', large));
  conforms('/sandbox/reset', 'post', await box.post('/sandbox/reset', {}));
  conforms('/sandbox/reset', 'post', await box.post('/sandbox/reset', large));
});
