import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { FastifyRequest } from 'fastify';
import { readUpload } from '../../src/dashboard/frame/serve-route.ts';

async function requestWith(data: FormData): Promise<FastifyRequest> {
  const sent = new Response(data);
  const headers = { 'content-type': sent.headers.get('content-type')! };
  return { headers, body: Buffer.from(await sent.arrayBuffer()) } as unknown as FastifyRequest;
}

test('a chosen file arrives as its bytes, next to the fields of its form', async () => {
  const data = new FormData();
  const bytes = Buffer.from([0, 13, 10, 255]);
  data.set('mail', new Blob([bytes]), 'alert.eml');
  data.set('amount', ' 500.37 ');
  const form = await readUpload(await requestWith(data));
  assert.deepEqual(form?.file('mail'), bytes);
  assert.equal(form?.text('amount'), '500.37');
  assert.equal(form?.file('other'), null);
});

test('an empty file field is no file, and a body that is no form is refused', async () => {
  const data = new FormData();
  data.set('mail', new Blob([]), '');
  assert.equal((await readUpload(await requestWith(data)))?.file('mail'), null);
  const headers = { 'content-type': 'multipart/form-data; boundary=x' };
  assert.equal(await readUpload({ headers, body: Buffer.from('--y') } as unknown as FastifyRequest), null);
});

test('values that a database would not store are refused with their form', async () => {
  const data = new FormData();
  data.set('amount', 'a\0b');
  assert.equal(await readUpload(await requestWith(data)), null);
});

test('a body of very many parts is refused before parsing, which would block everybody for seconds', async () => {
  const part = '--b\r\nContent-Disposition: form-data; name="a"; filename="x"\r\n\r\n\r\n';
  const body = Buffer.from(`${part.repeat(170_000)}--b--\r\n`);
  for (const type of [
    'multipart/form-data; boundary=b',
    'multipart/form-data; boundary="b"',
    'multipart/form-data; x="; boundary=other"; boundary=b',
  ]) {
    const before = process.cpuUsage();
    assert.equal(
      await readUpload({ headers: { 'content-type': type }, body } as unknown as FastifyRequest),
      null,
    );
    const { user, system } = process.cpuUsage(before);
    assert.ok(user + system < 500_000, `${user + system} µs`);
  }
});
