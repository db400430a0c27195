import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { test } from 'node:test';
import { promisify } from 'node:util';
import { second } from '../../../src/base/clock.ts';
import { openTestApi, orderBody } from '../../support/api.ts';
import { prepare, use } from '../../support/use.ts';

const mebibyte = 1024 * 1024;
let port: number;
const api = use(() => openTestApi({ METRICS_TOKEN: 'figures-please' }));
prepare(async () => {
  await api.app.listen({ port: 0, host: '127.0.0.1' });
  port = (api.app.server.address() as { port: number }).port;
});

/** Everything the server says on one connection until it closes it. */
function talk(start: (socket: Socket) => void): Promise<string> {
  return new Promise((resolve, reject) => {
    let said = '';
    const socket = connect(port, '127.0.0.1', () => start(socket));
    socket.on('data', chunk => {
      said += chunk;
    });
    socket.on('close', () => resolve(said));
    socket.on('error', reject);
  });
}

const jsonError = (answer: string) => JSON.parse(answer.slice(answer.indexOf('\r\n\r\n') + 4)).error;

test('a slow body is refused with 408 as JSON, and the connection is closed', async () => {
  const { server } = api.app;
  assert.deepEqual([server.requestTimeout, server.headersTimeout], [10 * second, 10 * second]);
  // Nothing of what follows depends on how long they are.
  server.requestTimeout = server.headersTimeout = second;
  let dripping: NodeJS.Timeout | undefined;
  const answer = await talk(socket => {
    socket.write(
      'POST /api/v1/orders HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\ncontent-length: 5000\r\n\r\n',
    );
    dripping = setInterval(() => socket.write('{'), 100);
  });
  clearInterval(dripping);
  server.requestTimeout = server.headersTimeout = 10 * second;
  assert.match(answer, /^HTTP\/1\.1 408 /);
  assert.match(answer, /access-control-allow-origin: \*/);
  assert.equal(jsonError(answer), 'request_timeout');
});

test('Node’s fetch reads the refusal of every too large body', async () => {
  // In a process of its own: it sends while we answer. With its length, and in chunks without one.
  const client = `
    const body = Buffer.alloc(8 * 1024 * 1024, 'x');
    for (let times = 0; times < 40; times++) {
      const sent = times % 2 ? { body } : { body: new Blob([body]).stream(), duplex: 'half' };
      const answer = await fetch('http://127.0.0.1:${port}/api/v1/orders', { method: 'POST', ...sent }).then(
        async one => one.status + ' ' + (await one.json()).error, error => error.cause?.code);
      console.log(answer);
    }`;
  const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '-e', client]);
  assert.deepEqual(stdout.trim().split('\n'), Array(40).fill('413 request_too_large'));
});

test('a refused body is read for some seconds and megabytes more, then the connection is closed', async () => {
  const head =
    'POST /api/v1/orders HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\ncontent-length: 99999999999\r\n\r\n';
  const ended: string[] = [];
  let dripping: NodeJS.Timeout | undefined;
  const slow = talk(socket => {
    socket.removeAllListeners('error').on('error', () => {});
    socket.on('close', () => ended.push('slow'));
    socket.write(head);
    dripping = setInterval(() => socket.write('x'), 100);
  });
  const fast = talk(socket => {
    const part = Buffer.alloc(mebibyte);
    const pour = () => {
      while (!socket.destroyed && socket.write(part));
    };
    socket.removeAllListeners('error').on('error', () => {});
    socket.on('close', () => ended.push('fast')).on('drain', pour);
    socket.write(head);
    pour();
  });
  const [answer] = await Promise.all([slow, fast]);
  clearInterval(dripping);
  assert.match(answer, /^HTTP\/1\.1 413 /);
  assert.doesNotMatch(answer, /HTTP\/1\.1 408 /, 'the limit on whole requests has not ended them');
  assert.deepEqual(ended, ['fast', 'slow']);
});

test('headers of 20 kB are refused with 431 as JSON', async () => {
  const answer = await talk(socket =>
    socket.write(`GET /api/v1/orders HTTP/1.1\r\nhost: x\r\nx-a: ${'y'.repeat(20_000)}\r\n\r\n`),
  );
  assert.match(answer, /^HTTP\/1\.1 431 /);
  assert.equal(jsonError(answer), 'headers_too_large');
});

test('garbage on the connection is refused with 400 as JSON', async () => {
  const answer = await talk(socket => socket.write('\u0016\u0003\u0001 hello\r\n\r\n'));
  assert.match(answer, /^HTTP\/1\.1 400 /);
  assert.equal(jsonError(answer), 'invalid_request');
});

test('CONNECT and an unknown Expect get an answer as JSON too', async () => {
  const connecting = await talk(socket => socket.write('CONNECT a.example:443 HTTP/1.1\r\nhost: a\r\n\r\n'));
  assert.match(connecting, /^HTTP\/1\.1 400 /);
  assert.equal(jsonError(connecting), 'invalid_request');
  const expecting = await talk(socket =>
    socket.write('GET /api/v1/orders HTTP/1.1\r\nhost: x\r\nexpect: miracles\r\nconnection: close\r\n\r\n'),
  );
  assert.match(expecting, /^HTTP\/1\.1 401 /);
  assert.equal(jsonError(expecting), 'missing_api_key');
});

test('OPTIONS gets 204 and every answer its CORS header, also for an address that cannot be parsed or is absolute', async () => {
  for (const target of [
    '/api/v1/orders/%zz',
    'http://x/api/v1/orders',
    `/api/v1/orders/${'9'.repeat(600)}`,
  ]) {
    const ask = (method: string) =>
      talk(socket => socket.write(`${method} ${target} HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n`));
    assert.match(
      await ask('OPTIONS'),
      /^HTTP\/1\.1 204 [\s\S]*access-control-allow-methods: [\s\S]*\r\n\r\n$/,
    );
    const answer = await ask('GET');
    assert.match(answer, /access-control-allow-origin: \*/);
    assert.match(answer, /^HTTP\/1\.1 40[14] /, 'no key, or nothing at this address');
  }
});

test('garbage after a create does not replace its answer', async () => {
  const body = JSON.stringify(orderBody());
  const answer = await talk(socket =>
    socket.write(
      `POST /api/v1/orders HTTP/1.1\r\nhost: x\r\nx-api-key: ${api.merchant.apiKey}\r\n` +
        `content-type: application/json\r\ncontent-length: ${body.length}\r\n\r\n${body}GARBAGE\r\n\r\n`,
    ),
  );
  assert.match(answer, /^HTTP\/1\.1 201 /);
});

test('two X-API-Key headers are one unknown key', async () => {
  const key = api.merchant.apiKey;
  const answer = await talk(socket =>
    socket.write(
      `GET /api/v1/orders HTTP/1.1\r\nhost: x\r\nconnection: close\r\nx-api-key: ${key}\r\nx-api-key: ${key}\r\n\r\n`,
    ),
  );
  assert.match(answer, /^HTTP\/1\.1 401 /);
  assert.equal(jsonError(answer), 'invalid_api_key');
});

test('while the database does not answer, a caller gets 503 with Retry-After, and a replay settles the create', async () => {
  const body = orderBody({ merchant_order_id: 'in-doubt' });
  const blocker = await api.world.sql.reserve();
  await blocker`begin`;
  await blocker`lock table orders in access exclusive mode`;
  const refused = await api.create(body);
  assert.deepEqual([refused.statusCode, refused.json().error], [503, 'service_unavailable']);
  assert.match(String(refused.headers['retry-after']), /^\d+$/);
  await blocker`commit`;
  blocker.release();
  const settled = await api.create(body);
  assert.ok([200, 201].includes(settled.statusCode));
  const again = await api.create(body);
  assert.deepEqual([again.statusCode, again.json().order_id], [200, settled.json().order_id]);
});

test('/healthz says that the process runs, /readyz that the database works, and both need no key', async () => {
  const { version } = JSON.parse(readFileSync('package.json', 'utf8')) as { version: string };
  assert.deepEqual((await api.app.inject('/healthz')).json(), { status: 'ok', version });
  const ready = await api.app.inject('/readyz');
  assert.deepEqual([ready.statusCode, ready.json().checks.database], [200, 'ok']);
});

test('a request that names two hosts is refused', async () => {
  const answer = await talk(socket =>
    socket.write(
      'GET /healthz HTTP/1.1\r\nHost: pay.example.in\r\nhost: evil.example\r\nconnection: close\r\n\r\n',
    ),
  );
  assert.match(answer, /^HTTP\/1\.1 400 /);
  assert.equal(jsonError(answer), 'invalid_request');
});

test('/metrics answers Prometheus with the token, and 404 without it', async () => {
  const ask = (headers: Record<string, string> = {}) =>
    fetch(`http://127.0.0.1:${port}/metrics`, { headers });
  const answer = await ask({ authorization: 'Bearer figures-please' });
  assert.match(await answer.text(), /process_cpu_seconds_total/);
  for (const headers of [
    {},
    { authorization: 'Bearer figures-pleasf' },
    { authorization: 'figures-please' },
  ]) {
    assert.equal((await ask(headers)).status, 404);
  }
  const without = await openTestApi();
  assert.equal((await without.app.inject('/metrics')).statusCode, 404, 'live, without a token');
  await without.stop();
});

test('every answer carries a request id of its own', async () => {
  const ids = await Promise.all([api.get('/orders'), api.get('/orders')]);
  assert.equal(new Set(ids.map(answer => answer.headers['x-request-id'])).size, 2);
});
