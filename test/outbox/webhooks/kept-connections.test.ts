import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { afterEach, beforeEach, test } from 'node:test';
import { openShopConnections } from '../../../src/outbox/connections.ts';
import { attemptDelivery } from '../../../src/outbox/webhooks/attempt-delivery.ts';
import { recordAttempt } from '../../../src/outbox/webhooks/record-attempt.ts';
import { addTestMerchant, openTestWorld } from '../../support/test-world.ts';
import { prepare, use, useEach } from '../../support/use.ts';
import { addPaidEvent, claimOne } from '../../support/webhook-world.ts';

let merchantId: number;
let shop: Server;
/** The sockets in the order in which they were opened, with the requests that came over each. */
let sockets: { socket: Socket; requests: number }[];
let answering: (response: ServerResponse, socket: { socket: Socket; requests: number }) => void;

const world = use(openTestWorld);
prepare(async () => {
  merchantId = (await addTestMerchant(world)).merchantId;
});

const connections = useEach(openShopConnections);
beforeEach(async () => {
  sockets = [];
  answering = response => response.end('ok');
  shop = createServer((request, response) => {
    const open = sockets.find(one => one.socket === request.socket)!;
    open.requests++;
    request.resume().on('end', () => answering(response, open));
  });
  shop.on('connection', socket => sockets.push({ socket, requests: 0 }));
  shop.listen(0, '127.0.0.1');
  await once(shop, 'listening');
});
afterEach(() => {
  connections.close();
  shop.closeAllConnections();
  shop.close();
});

async function deliverTo(host: string): Promise<string> {
  const { port } = shop.address() as AddressInfo;
  await addPaidEvent(world, merchantId, `http://${host}:${port}/hook`);
  const claimed = await claimOne(world);
  const result = await attemptDelivery(world, claimed, new AbortController().signal, connections);
  await recordAttempt(world, claimed, result);
  return result.outcome;
}

const requests = () => sockets.map(one => one.requests);

test('consecutive webhooks use one connection', async () => {
  for (let number = 0; number < 3; number++) assert.equal(await deliverTo('127.0.0.1'), 'delivered');
  assert.deepEqual(requests(), [3]);
});

test('two hosts never share a connection, even at one address', async () => {
  world.dns.addresses.set('one.example.in', ['127.0.0.1']).set('two.example.in', ['127.0.0.1']);
  for (const host of ['one.example.in', 'two.example.in', 'one.example.in'])
    assert.equal(await deliverTo(host), 'delivered');
  assert.deepEqual(requests(), [2, 1]);
});

test('an open connection is checked at every send: a name that became private is refused', async () => {
  world.dns.addresses.set('shop.example.in', ['127.0.0.1']);
  assert.equal(await deliverTo('shop.example.in'), 'delivered');
  world.dns.addresses.set('shop.example.in', ['127.0.0.1', '10.0.0.1']);
  assert.equal(await deliverTo('shop.example.in'), 'refused_address');
  assert.deepEqual(requests(), [1]);
});

test('webhooks follow a name to its new address', async () => {
  world.dns.addresses.set('shop.example.in', ['127.0.0.1']);
  assert.equal(await deliverTo('shop.example.in'), 'delivered');
  world.dns.addresses.set('shop.example.in', ['127.0.0.2']);
  // Nobody listens there: what matters is that the old server is not called.
  assert.equal(await deliverTo('shop.example.in'), 'no_connection');
  assert.deepEqual(requests(), [1]);
});

test('a server that closed the connection in between costs a new connection, but no attempt', async () => {
  assert.equal(await deliverTo('127.0.0.1'), 'delivered');
  const [first] = sockets;
  first!.socket.destroy();
  assert.equal(await deliverTo('127.0.0.1'), 'delivered');
  assert.deepEqual(requests(), [1, 1]);
});

test('a server that hangs up on the second request is asked again over a new connection', async () => {
  answering = (response, { socket, requests }) => {
    if (requests > 1) socket.resetAndDestroy();
    else response.end('ok');
  };
  assert.equal(await deliverTo('127.0.0.1'), 'delivered');
  assert.equal(await deliverTo('127.0.0.1'), 'delivered');
  assert.deepEqual(requests(), [2, 1]);
});

test('a server that always hangs up is reported as such', async () => {
  assert.equal(await deliverTo('127.0.0.1'), 'delivered');
  answering = (_response, { socket }) => socket.resetAndDestroy();
  assert.equal(await deliverTo('127.0.0.1'), 'broken_answer');
  assert.deepEqual(requests(), [2, 1]);
});

for (const [what, answer] of [
  ['no HTTP', 'SSH-2.0-OpenSSH_9\r\n'],
  ['two lengths', 'HTTP/1.1 200 OK\r\ncontent-length: 2\r\ntransfer-encoding: chunked\r\n\r\n'],
  ['endless headers', `HTTP/1.1 200 OK\r\n${`x: ${'y'.repeat(1000)}\r\n`.repeat(20)}`],
] as const) {
  test(`a server that answers with ${what} has the event: it gets no second request in one attempt`, async () => {
    assert.equal(await deliverTo('127.0.0.1'), 'delivered');
    answering = (_response, { socket }) => socket.write(answer);
    assert.equal(await deliverTo('127.0.0.1'), 'broken_answer');
    assert.deepEqual(requests(), [2]);
  });
}

test('a closed connection is not kept', async () => {
  assert.equal(await deliverTo('127.0.0.1'), 'delivered');
  connections.close();
  assert.equal(await deliverTo('127.0.0.1'), 'delivered');
  for (const { socket } of sockets) if (!socket.closed) await once(socket, 'close');
  assert.deepEqual(requests(), [1, 1]);
});
