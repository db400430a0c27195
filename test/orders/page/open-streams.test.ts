import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, get } from 'node:http';
import type { AddressInfo } from 'node:net';
import { test } from 'node:test';
import { openStreams } from '../../../src/orders/page/open-streams.ts';

test('a page that closes before its stream begins frees its place', async () => {
  const streams = openStreams({ isHearing: () => true, follow: () => () => {} } as never);
  let answered = () => {};
  const isOver = new Promise<void>(resolve => {
    answered = resolve;
  });
  const server = createServer((_request, response) => {
    // The client leaves while the order is being looked up.
    response.once('close', () =>
      setImmediate(() => {
        streams.open('token', '192.0.2.1', response);
        answered();
      }),
    );
    page.destroy();
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const page = get({ port: (server.address() as AddressInfo).port, host: '127.0.0.1' }).on('error', () => {});
  await isOver;
  assert.equal(streams.count(), 0);
  streams.close();
  server.close();
});
