import assert from 'node:assert/strict';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { get as httpGet, type IncomingMessage } from 'node:http';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { join } from 'node:path';
import { test } from 'node:test';
import { systemClock } from '../../src/base/clock.ts';
import { freePort } from '../../src/base/free-port.ts';
import { secretBox } from '../../src/base/secrets.ts';
import { addUser } from '../../src/business/accounts/add-user.ts';
import { newApiKey } from '../../src/business/merchants/api-key.ts';
import { newPayToken } from '../../src/orders/order.ts';
import { confirmPayment } from '../../src/payments/matching/confirm-payment.ts';
import { orderBody } from '../support/api.ts';
import { addMailbox } from '../support/checkout-site.ts';
import { payableOf, storedCredit } from '../support/credit.ts';
import { liveSettings } from '../support/live-config.ts';
import { handMail } from '../support/mail-provider.ts';
import { newDataDir, removeDataDir, startReady } from '../support/program.ts';
import { runMilaan } from '../support/run-milaan.ts';
import { openTestCells, wrongCell } from '../support/test-cells.ts';
import { addTestMerchant } from '../support/test-world.ts';
import { waitFor } from '../support/wait-for.ts';
import { startReceiver } from '../support/webhook-receiver.ts';

/** The way to a database, which can be cut. */
async function openGate(url: string) {
  const target = new URL(url);
  const sockets = new Set<Socket>();
  const server = createServer(client => {
    const database = connect(Number(target.port), target.hostname);
    for (const [socket, other] of [
      [client, database],
      [database, client],
    ] as const) {
      sockets.add(socket);
      socket.on('error', () => {});
      socket.once('close', () => other.destroy());
      socket.pipe(other);
    }
  });
  const listen = async (port: number) => {
    server.listen(port, '127.0.0.1');
    await once(server, 'listening');
    return (server.address() as AddressInfo).port;
  };
  // One that nobody else is given while the way is cut.
  const port = await listen(await freePort());
  const here = new URL(url);
  here.host = `127.0.0.1:${port}`;
  return {
    url: here.href,
    open: () => listen(port),
    close() {
      server.close();
      for (const socket of sockets) socket.destroy();
      sockets.clear();
    },
  };
}

test('while one of two cells is down, at the start or later, only its businesses get 503', async () => {
  const stage = await openTestCells(liveSettings);
  const gate = await openGate(stage.worlds[1]!.databaseUrl);
  const shop = await startReceiver();
  const dataDir = newDataDir();
  const file = join(dataDir, 'cells.json');
  const ranges = [0, 1].map(cell => ({ from: cell * 2 ** 47, cell }));
  writeFileSync(file, JSON.stringify({ cells: [stage.worlds[0]!.databaseUrl, gate.url], new: 1, ranges }));
  const merchants = [];
  for (const world of stage.worlds) {
    world.clock.set(systemClock.now());
    world.secrets = secretBox([Buffer.alloc(32)]);
    const merchant = await addTestMerchant(world);
    await addMailbox(world, merchant.merchantId);
    merchants.push(merchant);
    // The twins of this stage are in the wrong cell, and no process starts with such a file.
    await world.sql`delete from merchants where name = ${wrongCell}`;
  }
  const [here, there] = merchants as [(typeof merchants)[0], (typeof merchants)[0]];
  gate.close();
  const { DATABASE_URL: _, ...others } = liveSettings;
  const env = { ...others, CELLS_FILE: file, HOST: '127.0.0.1', WEBHOOK_ALLOW: '127.0.0.1' };
  const program = await startReady(dataDir, { env });
  const create = (apiKey: string) =>
    fetch(`${program.url}/api/v1/orders`, {
      method: 'POST',
      headers: { 'x-api-key': apiKey, 'content-type': 'application/json' },
      body: JSON.stringify(orderBody({ webhook_url: shop.url })),
    });
  const away = async (say: string) => {
    const [refused, page, other] = await Promise.all([
      create(there.apiKey),
      fetch(`${program.url}/pay/${newPayToken(there.merchantId)}`, { headers: { 'accept-language': 'en' } }),
      create(here.apiKey),
    ]);
    assert.deepEqual([refused.status, refused.headers.get('retry-after')], [503, '2'], say);
    assert.equal(((await refused.json()) as { error: string }).error, 'service_unavailable');
    assert.deepEqual(
      [page.status, page.headers.get('retry-after'), page.headers.get('refresh')],
      [503, '2', '2'],
    );
    assert.match(page.headers.get('content-type') ?? '', /html/);
    assert.equal(other.status, 201, say);
    // Not 401, on which a shop would give up: nobody can know.
    assert.equal((await create(newApiKey(there.merchantId, 'live'))).status, 503);
    const ready = await fetch(`${program.url}/readyz`);
    const { checks } = (await ready.json()) as { checks: Record<string, { database: string }> };
    assert.deepEqual([ready.status, checks['cell 1']?.database], [200, 'not reachable']);
  };
  const paid = async (merchant: typeof here, cell: number) => {
    const world = stage.worlds[cell]!;
    await waitFor(`cell ${cell}`, async () => (await create(merchant.apiKey)).status === 201);
    const order = (await (await create(merchant.apiKey)).json()) as {
      order_id: string;
      payable_amount: number;
    };
    const credit = await storedCredit(world, merchant.merchantId, { amount: payableOf(order) });
    assert.equal((await confirmPayment(world, credit)).outcome, 'paid');
    await waitFor('the webhook', async () => shop.received.some(({ body }) => body.includes(order.order_id)));
  };
  try {
    assert.match(
      program.output(),
      /warning: cell 1 is left out for now: the database at .* cannot be reached/,
    );
    await away('at the start');
    await paid(here, 0);
    await gate.open();
    await paid(there, 1);
    await waitFor('it says so', () => /cell 1 is back/.test(program.output()));
    gate.close();
    await away('later');
    await paid(here, 0);
    await gate.open();
    await paid(there, 1);
    // A command works in the cell of the business that it names; a new one is opened in the cell for new ones.
    const made = await runMilaan(env, 'create-business', '--name', 'New', '--email', 'new@shop.example');
    assert.match(made.err, /^live, 2 cells, the first is database /m);
    const [, id = '', apiKey = ''] = /business +(\d+)\nAPI key +(\S+)/.exec(made.out) ?? [];
    assert.ok(Number(id) >= 2 ** 47, made.err);
    assert.notEqual((await create(apiKey)).status, 401);
    const disabled = await runMilaan(env, 'disable', '--business', id, '--reason', 'shut');
    assert.equal(disabled.code, 0, disabled.err);
    assert.equal((await create(apiKey)).status, 403);
    // Watchers of orders in either cell are notified of the end, and nothing keeps the process alive.
    const streams = await Promise.all(
      merchants.map(async ({ apiKey }) => {
        const { payment_url } = (await (await create(apiKey)).json()) as { payment_url: string };
        const path = new URL(payment_url).pathname;
        let stream: IncomingMessage;
        do {
          [stream] = (await once(httpGet(`${program.url}${path}/events`), 'response')) as [IncomingMessage];
        } while (stream.statusCode === 204);
        return stream.resume();
      }),
    );
    assert.deepEqual(
      streams.map(stream => stream.headers['content-type']),
      ['text/event-stream', 'text/event-stream'],
    );
    program.child.kill('SIGTERM');
    assert.equal(await program.ended, 0);
    assert.match(program.output(), /stopped/);
  } finally {
    program.child.kill('SIGKILL');
    gate.close();
    await shop.stop();
    await stage.stop();
    removeDataDir(dataDir);
  }
});

test('while cell 0 is down, at the start or later, mail for other cells is stored, judged and pays, and people sign in', async () => {
  const stage = await openTestCells({ ...liveSettings, MAIL_DOMAIN: 'in.pay.example' });
  const gate = await openGate(stage.worlds[0]!.databaseUrl);
  const shop = await startReceiver();
  const dataDir = newDataDir();
  const file = join(dataDir, 'cells.json');
  const ranges = [0, 1].map(cell => ({ from: cell * 2 ** 47, cell }));
  writeFileSync(file, JSON.stringify({ cells: [gate.url, stage.worlds[1]!.databaseUrl], new: 1, ranges }));
  const people: (Awaited<ReturnType<typeof addTestMerchant>> & { email: string })[] = [];
  for (const world of stage.worlds) {
    world.clock.set(systemClock.now());
    world.secrets = secretBox([Buffer.alloc(32)]);
    const merchant = await addTestMerchant(world);
    await addMailbox(world, merchant.merchantId);
    await world.sql`delete from merchants where name = ${wrongCell}`;
    const email = `owner-${world.cell}@shop.example`;
    await world.sql.begin(tx =>
      addUser(tx, world, merchant.merchantId, { email, password: 'a long password 1', role: 'owner' }),
    );
    people.push({ ...merchant, email });
  }
  const there = people[1]!;
  gate.close();
  const { DATABASE_URL: _, ...others } = liveSettings;
  const receivePort = await freePort();
  const env = {
    ...others,
    CELLS_FILE: file,
    HOST: '127.0.0.1',
    WEBHOOK_ALLOW: '127.0.0.1',
    MAIL_DOMAIN: 'in.pay.example',
    RECEIVE_PORT: `127.0.0.1:${receivePort}`,
  };
  const program = await startReady(dataDir, { env });
  const signsIn = async (email: string, password: string) => {
    const answer = await fetch(`${program.url}/dashboard/sign-in`, {
      method: 'POST',
      redirect: 'manual',
      headers: { origin: 'https://pay.example.in', 'sec-fetch-site': 'same-origin' },
      body: new URLSearchParams({ email, password }),
    });
    return answer.status;
  };
  const works = async (say: string) => {
    const ready = await fetch(`${program.url}/readyz`);
    const { checks } = (await ready.json()) as { checks: Record<string, { database: string }> };
    assert.deepEqual(
      [ready.status, checks['cell 0']?.database, checks['cell 1']?.database],
      [200, 'not reachable', 'ok'],
      say,
    );
    const world = stage.worlds[1]!;
    const answer = await fetch(`${program.url}/api/v1/orders`, {
      method: 'POST',
      headers: { 'x-api-key': there.apiKey, 'content-type': 'application/json' },
      body: JSON.stringify(orderBody({ webhook_url: shop.url })),
    });
    assert.equal(answer.status, 201, say);
    const order = (await answer.json()) as { order_id: string; payable_amount: number };
    const credit = await storedCredit(world, there.merchantId, { amount: payableOf(order) });
    const { outcome } = await confirmPayment(world, credit);
    assert.equal(outcome, 'paid', say);
    await waitFor('the webhook', async () => shop.received.some(({ body }) => body.includes(order.order_id)));
    assert.equal(await signsIn(there.email, 'a long password 1'), 303, say);
    assert.equal(await signsIn(there.email, 'a wrong password'), 401, say);
    assert.equal(await signsIn(people[0]!.email, 'a long password 1'), 503, say);
    assert.equal(await signsIn('nobody@shop.example', 'a long password 1'), 503, say);
    const forwardTo = `alerts-${'0'.repeat(32)}@in.pay.example`;
    await world.sql`delete from forward_addresses where merchant_id = ${there.merchantId}`;
    await world.sql`
      insert into forward_addresses (merchant_id, address, opened_at)
      values (${there.merchantId}, ${forwardTo}, ${world.clock.now()})`;
    const raw = Buffer.from(
      `From: alerts@hdfcbank.bank.in\r\nTo: ${forwardTo}\r\nSubject: ${say}\r\n\r\nx\r\n`,
    );
    assert.equal((await handMail(receivePort, { to: forwardTo, raw })).code, 250, say);
    // An address that only the cell that is down may know: its sender keeps the mail.
    const unknown = `alerts-${'1'.repeat(32)}@in.pay.example`;
    assert.equal((await handMail(receivePort, { to: unknown, raw })).code, 451, say);
    const stored = await world.sql`
      select from alerts where merchant_id = ${there.merchantId} and found_in = 'forwarding'`;
    assert.ok(stored.length > 0, say);
  };
  try {
    await works('at the start');
    await gate.open();
    await waitFor('it says so', () => /cell 0 is back/.test(program.output()));
    assert.equal(await signsIn(people[0]!.email, 'a long password 1'), 303);
    assert.equal(await signsIn('nobody@shop.example', 'a long password 1'), 401);
    gate.close();
    await works('later');
    await gate.open();
  } finally {
    program.child.kill('SIGKILL');
    gate.close();
    await shop.stop();
    await stage.stop();
    removeDataDir(dataDir);
  }
});
