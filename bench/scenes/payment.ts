import { fork } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { Pool } from 'undici';
import { openForwarding } from '../../src/alerts/forwarding/open-forwarding.ts';
import { systemClock } from '../../src/base/clock.ts';
import { freePort } from '../../src/base/free-port.ts';
import { secretBox } from '../../src/base/secrets.ts';
import { findBreaches } from '../../src/operator/verify.ts';
import { orderBody } from '../../test/support/api.ts';
import { startDnsServer } from '../../test/support/dns-server.ts';
import { addTestMerchant, openTestWorld, type TestMerchant } from '../../test/support/test-world.ts';
import { waitFor } from '../../test/support/wait-for.ts';
import { addMerchants } from '../http/add-merchants.ts';
import { costed } from '../http/costed.ts';
import { needPrograms } from '../http/need-programs.ts';
import { runPgbench } from '../http/run-pgbench.ts';
import { openShop } from '../mail/arrival-shop.ts';
import { hdfcMail, hdfcRecords } from '../mail/hdfc-mail.ts';
import { median } from '../mail/in-turns.ts';
import { startLive } from '../mail/start-live.ts';
import { withEndings } from '../mail/with-endings.ts';
import type { BarePart, BareTask } from '../payment/bare-child.ts';
import { addUsers, backendsOf, urlOf } from '../payment/costs.ts';
import { type HandOver, openHandOver } from '../payment/hand-over.ts';
import { type Bare, type Figures, type Lanes, rowsOf, showParts, total, whole } from '../payment/show.ts';
import { type Part, type Tally, tally } from '../payment/tally.ts';
import { serverPid } from '../processor.ts';
import { report } from '../report.ts';

/**
 * One payment's whole cost in processor time: an order by `POST /api/v1/orders`, the bank's signed mail handed
 * over by SMTP, stored, judged and matched, the webhook received and recorded. The real program in three processes, so
 * that each part has its own bill: `web`, `receive` with `mail`, `deliver`. Customers, bank, mail server, shop and name
 * server are this process and cost nothing. What the processes use while nothing happens is measured and taken off.
 * Against the sum of the least that its parts need: the create's statement through pgbench, the DKIM library on the same
 * mail, a row inserted and updated by its key, a bare post. The aim is less than half of the 6.6
 * times that it was on 2026-11-17.
 */
const shops = 20;
const rounds = Number(process.env['MILAAN_BENCH_ROUNDS'] ?? 3);
const paymentsOfRound: Record<Lanes, number> = { 1: 50, 8: 160 };
const burst = 400;
const idleSeconds = 4;
const mailDomain = 'alerts.example.in';
const users: Record<Part, string> = { create: 'bench_web', mails: 'bench_mails', deliver: 'bench_deliver' };

needPrograms('pgbench');
const secretKey = randomBytes(32);
const world = await openTestWorld(
  { MAIL_DOMAIN: mailDomain },
  { ownServer: true, settings: { shared_preload_libraries: 'pg_stat_statements' } },
);
Object.assign(world, { clock: systemClock, secrets: secretBox([secretKey]) });
const { sql, databaseUrl } = world;

await withEndings(async atEnd => {
  atEnd(() => world.stop());
  await addUsers(sql, [...Object.values(users), 'bench_bare']);
  const records = hdfcRecords();
  const dns = await startDnsServer(({ name }) => {
    const record = records[name];
    return record ? [{ name, type: 'TXT', ttl: 60, data: record.match(/.{1,255}/g)! }] : 'nxdomain';
  });
  atEnd(() => dns.stop());
  const shop = await openShop();
  atEnd(() => shop.stop());
  const smtpPort = await freePort();
  const start = async (part: Part, roles: readonly string[], env: Record<string, string> = {}) => {
    const program = await startLive(roles, urlOf(databaseUrl, users[part]), secretKey, {
      MAIL_DOMAIN: mailDomain,
      ...env,
    });
    atEnd(() => program.stop());
    return { pid: program.child.pid!, user: users[part], url: program.url };
  };
  const receive = { DNS_SERVERS: dns.address, RECEIVE_PORT: `127.0.0.1:${smtpPort}` };
  const processes = {
    create: await start('create', ['web']),
    mails: await start('mails', ['mail', 'receive'], receive),
    deliver: await start('deliver', ['deliver']),
  };
  const web = new Pool(processes.create.url, { connections: 8 });
  atEnd(() => web.destroy());
  const merchants: Shop[] = [];
  for (let number = 0; number < shops; number++) {
    const merchant = await addTestMerchant(world, { name: `Shop ${number}` });
    const opening = { merchantId: merchant.merchantId, mailDomain, now: world.clock.now() };
    merchants.push({ ...merchant, forwardTo: (await sql.begin(tx => openForwarding(tx, opening)))! });
  }
  let serial = 0;
  const prepare = async (): Promise<Prepared> => {
    const number = serial++;
    const merchant = merchants[number % shops]!;
    const change = { amount: 100 + (number % 9000), webhook_url: shop.url };
    const answer = await web.request({
      method: 'POST',
      path: '/api/v1/orders',
      headers: { 'x-api-key': merchant.apiKey, 'content-type': 'application/json' },
      body: JSON.stringify(orderBody(change)),
    });
    if (answer.statusCode !== 201) throw new Error(`create answered ${await answer.body.text()}`);
    const order = (await answer.body.json()) as { order_id: string; payable_amount: number };
    const alert = { amount: order.payable_amount.toFixed(2), reference: String(690_000_000_000 + number) };
    const to = merchant.forwardTo;
    return { ...alert, ...order, to, raw: hdfcMail({ ...alert, to, sentAt: new Date() }) };
  };
  const pay = async (handOver: HandOver) => {
    const { to, raw, reference, order_id } = await prepare();
    const arrival = shop.arrival(reference);
    await handOver(to, raw);
    await arrival;
    await waitFor('the webhook to be recorded', async () => !(await isWaiting(order_id)), 60_000);
  };
  const payMany = (count: number, lanes: number) =>
    inLanes(smtpPort, count, lanes, async handOver => await pay(handOver));

  await payMany(320, 8);
  await sql.unsafe('vacuum analyze');
  await payMany(40, 1);
  const idle = await tally(sql, processes, () => sleep(idleSeconds * 1000));
  const bare = await startBareParts(shop.url, atEnd);
  const figures = { 1: [] as Figures[], 8: [] as Figures[] };
  const rates: { rate: number; cost: number }[] = [];
  for (let round = 0; round < rounds; round++) {
    for (const lanes of [1, 8] as const) {
      const count = paymentsOfRound[lanes];
      const began = performance.now();
      const spent = await tally(sql, processes, () => payMany(count, lanes));
      const seconds = (performance.now() - began) / 1000;
      figures[lanes].push({ ours: perPayment(spent, count, seconds), bare: await bare(lanes, round) });
    }
    rates.push(await paidASecond());
  }

  async function paidASecond() {
    const prepared: Prepared[] = [];
    await inLanes(smtpPort, burst, 8, async () => void prepared.push(await prepare()));
    const began = performance.now();
    let rate = 0;
    const spent = await tally(sql, processes, async () => {
      await inLanes(smtpPort, burst, 8, async (handOver, number) => {
        const { to, raw } = prepared[number]!;
        await handOver(to, raw);
      });
      await waitFor('all to be paid', async () => !(await anyPending()), 120_000);
      rate = (burst * 1000) / (performance.now() - began);
    });
    await waitFor('all webhooks to be recorded', async () => !(await isWaiting(null)), 60_000);
    const { mails } = perPayment(spent, burst, burst / rate).parts;
    return { rate, cost: mails.service + mails.judges + mails.database };
  }

  function perPayment(spent: Tally, count: number, seconds: number): Tally {
    const less = (now: number, still: number) => Math.max(0, now - (still * seconds) / idleSeconds) / count;
    const parts = mapValues(spent.parts, (cost, part) =>
      mapValues(cost, (value, name) => less(value, idle.parts[part][name])),
    );
    const statements = mapValues(spent.statements, ({ calls, took }, kind) => ({
      calls: less(calls, idle.statements[kind]?.calls ?? 0),
      took: less(took, idle.statements[kind]?.took ?? 0),
    }));
    return { parts, statements, besides: less(spent.besides, idle.besides) };
  }

  for (const lanes of [1, 8] as const) showParts(lanes, figures[lanes]);
  const rate = median(rates.map(one => one.rate));
  const cost = median(rates.map(one => one.cost));
  console.log(
    `\nmail handed over to paid, 8 connections: ${Math.round(rate)} payments a second (${rates.map(one => Math.round(one.rate)).join(' ')}); ` +
      `by processor time ${(cost / 1000).toFixed(2)} ms each, so two cores have room for ${Math.round(2e6 / cost)}`,
  );
  const breaches = await findBreaches(world);
  const [paid] = await sql<{ n: number }[]>`select count(*) as n from orders where status = 'paid'`;
  console.log(`${paid?.n} of ${serial} orders paid, ${breaches.length} breaches`);
  if (paid?.n !== serial || breaches.length > 0) throw new Error('the books are wrong');
  const ratio = median(figures[1].map(whole)) / median(figures[1].map(one => total(one.bare)));
  report({ name: 'payment', aim: { atMost: 3 }, ratio, rows: rowsOf(figures) });
});

type Shop = TestMerchant & { forwardTo: string };
type Prepared = { to: string; raw: Buffer; reference: string; order_id: string };

async function isWaiting(orderId: string | null): Promise<boolean> {
  const [row] = await sql`
    select from delivery_queue q join events e using (merchant_id, event_id)
    where ${orderId}::text is null or e.order_id = ${orderId} limit 1`;
  return row !== undefined;
}

async function anyPending(): Promise<boolean> {
  return (await sql`select from orders where status = 'pending' limit 1`).length > 0;
}

async function inLanes(
  port: number,
  count: number,
  lanes: number,
  work: (handOver: HandOver, number: number) => Promise<void>,
): Promise<void> {
  let next = 0;
  const lane = async () => {
    const handOver = await openHandOver(port);
    for (let number = next++; number < count; number = next++) await work(handOver, number);
    handOver.close();
  };
  await Promise.all(Array.from({ length: lanes }, lane));
}

/** The least that each part needs, in microseconds of whoever does it and of the database. */
async function startBareParts(shopUrl: string, atEnd: (ending: () => unknown) => void) {
  const file = fileURLToPath(new URL('../payment/bare-child.ts', import.meta.url));
  const child = fork(file, [urlOf(databaseUrl, 'bench_bare'), shopUrl]);
  atEnd(() => child.kill());
  await once(child, 'message');
  const database = await serverPid(sql);
  const run = async (part: BarePart, count: number, atOnce: number) => {
    const before = await backendsOf(sql, 'bench_bare');
    child.send({ part, count, atOnce } satisfies BareTask);
    const [each] = (await once(child, 'message')) as [number];
    return each + ((await backendsOf(sql, 'bench_bare')) - before) / count;
  };
  for (const part of ['verify', 'rows', 'post'] as const) await run(part, 400, 8);
  return async (lanes: Lanes, round: number): Promise<Bare> => {
    const firstId = 1_000_000_000_001 + (round * 10 + lanes) * shops;
    const merchants = await addMerchants(sql, firstId, shops);
    const created = await costed([database], () =>
      runPgbench(world, merchants, 'varied', { seconds: 1, clients: lanes }),
    );
    await sql`delete from orders where merchant_id between ${firstId} and ${firstId + shops - 1}`;
    const verify = await run('verify', 160, lanes);
    const rows = await run('rows', 160, lanes);
    return { create: created.microseconds, verify, rows, post: await run('post', 160, lanes) };
  };
}

function mapValues<K extends string, V, R>(values: Record<K, V>, map: (value: V, key: K) => R): Record<K, R> {
  return Object.fromEntries(
    (Object.entries(values) as [K, V][]).map(([key, value]) => [key, map(value, key)]),
  ) as Record<K, R>;
}
