import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:https';
import { after, test } from 'node:test';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import { attemptDelivery } from '../../../src/outbox/webhooks/attempt-delivery.ts';
import { because } from '../../../src/texts/verdicts.ts';
import { testCertificate } from '../../support/test-certificate.ts';
import { addTestMerchant, openTestWorld } from '../../support/test-world.ts';
import { addPaidEvent, claimOne } from '../../support/webhook-world.ts';

const world = await openTestWorld();
const { merchantId } = await addTestMerchant(world);
const trusted = testCertificate(['shop.example.in']);
setDefaultCACertificates([...getCACertificates('default'), trusted.cert]);
world.dns.addresses.set('shop.example.in', ['127.0.0.1']).set('other.example.in', ['127.0.0.1']);
await addPaidEvent(world, merchantId, 'https://shop.example.in/');
const claimed = await claimOne(world);
after(() => world.stop());

async function attemptAt(host: string, certificate: { key: string; cert: string }) {
  const asked: string[] = [];
  const server = createServer(certificate, (request, response) => {
    asked.push(request.headers.host ?? '');
    response.end('ok');
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as { port: number };
  const delivery = { ...claimed, webhook_url: `https://${host}:${port}/hook` };
  const { outcome, failure } = await attemptDelivery(world, delivery, new AbortController().signal);
  server.close();
  return { outcome, failure, asked: asked.map(name => name.replace(`:${port}`, '')) };
}

test('a certificate for the name is accepted, though an address was connected', async () => {
  assert.deepEqual(await attemptAt('shop.example.in', trusted), {
    outcome: 'delivered',
    failure: null,
    asked: ['shop.example.in'],
  });
});

test('a trailing dot changes neither the certificate nor the requested host', async () => {
  const { outcome, asked } = await attemptAt('shop.example.in.', trusted);
  assert.deepEqual([outcome, asked], ['delivered', ['shop.example.in']]);
});

test('a certificate for another name, or of an unknown authority, gets no request', async () => {
  const wrongName = await attemptAt('other.example.in', trusted);
  assert.deepEqual([wrongName.outcome, wrongName.asked], ['tls_failed', []]);
  assert.deepEqual(wrongName.failure, because('tls_failed', { code: 'ERR_TLS_CERT_ALTNAME_INVALID' }));
  const unknown = await attemptAt('shop.example.in', testCertificate(['shop.example.in']));
  assert.deepEqual([unknown.outcome, unknown.asked], ['tls_failed', []]);
});
