import { fork } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { Pool } from 'undici';
import { systemClock } from '../../src/base/clock.ts';
import { secretBox } from '../../src/base/secrets.ts';
import { addTestMerchant, openTestWorld } from '../../test/support/test-world.ts';
import { waitFor } from '../../test/support/wait-for.ts';
import { recordPaidEvent } from '../../test/support/webhook-world.ts';
import { inTurns, median } from '../mail/in-turns.ts';
import type { Heard } from '../mail/receiver-child.ts';
import { startLive } from '../mail/start-live.ts';
import { withEndings } from '../mail/with-endings.ts';
import { processorSeconds, serverPid } from '../processor.ts';
import { report } from '../report.ts';

/**
 * Webhooks per second from the real `deliver` role to a fast receiver, each in its own process. Measured from the first
 * received one until all are delivered and stored as such, with fsync. The limit is bare undici posts of the same
 * bytes, equally many at once, over connections that stay open. A second row has a connection per post. A business has
 * at most four places for a host, so many businesses are needed. Judged by processor time, which other load on the
 * machine hardly affects.
 */
const merchantCount = 64;
const eventsEach = 40;
const rounds = 5;
/** Not counted: after 10,000 webhooks Node still compiles, on both sides. */
const roundsBefore = 5;
/** The places of a sender for what is due at once. */
const atOnce = 256;

/** Processor time of the sending side for a webhook, in microseconds. */
const costs: Record<'kept' | 'fresh' | 'ours', number[]> = { kept: [], fresh: [], ours: [] };

const secretKey = randomBytes(32);
const world = await openTestWorld();
Object.assign(world, { clock: systemClock, secrets: secretBox([secretKey]) });
const receiver = fork(fileURLToPath(new URL('../mail/receiver-child.ts', import.meta.url)));

await withEndings(async atEnd => {
  atEnd(() => world.stop());
  atEnd(() => receiver.kill());
  const [{ port }] = (await once(receiver, 'message')) as [{ port: number }];
  const origin = `http://127.0.0.1:${port}`;
  const merchants: number[] = [];
  for (let number = 0; number < merchantCount; number++) {
    merchants.push((await addTestMerchant(world, { name: `Shop ${number}` })).merchantId);
  }
  const program = await startLive(['deliver'], world.databaseUrl, secretKey);
  atEnd(() => program.stop());

  const bodies = await fill(merchants, `${origin}/hook`);
  await untilAllDelivered();
  await heard();
  const pool = new Pool(origin, { connections: atOnce, pipelining: 1 });
  atEnd(() => pool.destroy());
  const database = await serverPid(world.sql);
  // The receiver is a child of this process, and nobody's cost.
  const bare = { of: [process.pid], without: [receiver.pid!, program.child.pid!, database] };
  const contestants = {
    kept: () =>
      spent('kept', bare, () => postBare(bodies, (body, headers) => post(pool, body, headers, false))),
    fresh: () =>
      spent('fresh', bare, () => postBare(bodies, (body, headers) => post(pool, body, headers, true))),
    ours: () => deliverAll(merchants, `${origin}/hook`, { of: [program.child.pid!, database], without: [] }),
  };
  await inTurns(roundsBefore, contestants);
  for (const figures of Object.values(costs)) figures.length = 0;
  const figures = await inTurns(rounds, contestants);
  const limit = median(figures.kept);
  const row = (what: string, rate: number, cost: number) => ({
    what,
    'webhooks/s': Math.round(rate),
    'to kept open': (rate / limit).toFixed(2),
    'to one each': (rate / median(figures.fresh)).toFixed(2),
    'CPU µs each': Math.round(cost),
  });
  report({
    name: 'deliver',
    aim: { atMost: 4 },
    ratio: median(costs.ours) / median(costs.kept),
    rows: [
      row(`bare undici, ${atOnce} connections kept open`, limit, median(costs.kept)),
      row(`bare undici, ${atOnce} at once, a connection each`, median(figures.fresh), median(costs.fresh)),
      row('the deliver role: claimed, signed, guarded, logged', median(figures.ours), median(costs.ours)),
    ],
  });
});

/** Writes the events of payments as matching does, due at once, all visible in one moment. Answers their bodies. */
async function fill(merchantIds: readonly number[], webhookUrl: string): Promise<string[]> {
  const now = world.clock.now();
  await world.sql.begin(async tx => {
    for (let number = 0; number < eventsEach; number++) {
      for (const merchantId of merchantIds) {
        const orderId = `ML-${randomBytes(5).toString('hex')}`;
        await recordPaidEvent(tx, { merchantId, orderId, webhookUrl, order: orderOf(orderId, now), now });
      }
    }
  });
  const rows = await world.sql<
    { body: string }[]
  >`select body from event_bodies join delivery_queue using (merchant_id, event_id)`;
  return rows.map(({ body }) => body);
}

/** An order as long as in a real event. */
function orderOf(orderId: string, now: Date) {
  return {
    order_id: orderId,
    merchant_order_id: `shop-${orderId}`,
    status: 'paid',
    amount: 499,
    payable_amount: 499.37,
    currency: 'INR',
    customer: { name: 'Meera Iyer', email: 'meera@example.in', phone: '+919876543210' },
    metadata: { cart: '8812', channel: 'web' },
    payment_url: 'https://pay.example.in/pay/Zr0c1kq5yJw3vT8nB2mX7hLs',
    upi_link: 'upi://pay?pa=chai@okaxis&pn=Chai%20Point&am=499.37&cu=INR&tn=ML-0123456789',
    webhook_url: 'https://shop.example.in/hooks/milaan',
    bank_reference: '615300112233',
    received_amount: 499.37,
    created_at: now,
    expires_at: now,
    paid_at: now,
  };
}

type Processes = { of: readonly number[]; without: readonly number[] };

async function spent(
  who: keyof typeof costs,
  { of, without }: Processes,
  work: () => Promise<number>,
): Promise<number> {
  const seconds = () => processorSeconds(of) - processorSeconds(without);
  const before = seconds();
  const rate = await work();
  costs[who].push(((seconds() - before) * 1e6) / (merchantCount * eventsEach));
  return rate;
}

async function deliverAll(
  merchantIds: readonly number[],
  webhookUrl: string,
  processes: Processes,
): Promise<number> {
  const { length } = await fill(merchantIds, webhookUrl);
  await spent('ours', processes, async () => {
    await untilAllDelivered();
    return 0;
  });
  const end = performance.timeOrigin + performance.now();
  const { count, firstAt } = await heard();
  if (count !== length) throw new Error(`${length} events, but ${count} webhooks`);
  return (count * 1000) / (end - firstAt);
}

async function untilAllDelivered(): Promise<void> {
  const isDone = async () => {
    const [row] = await world.sql`select exists (select from delivery_queue) as waiting`;
    return row?.['waiting'] === false;
  };
  await waitFor('all events delivered', isDone, 120_000);
}

async function heard(): Promise<Heard> {
  receiver.send('how many?');
  const [answer] = (await once(receiver, 'message')) as [Heard];
  return answer;
}

async function postBare(
  bodies: readonly string[],
  send: (body: string, headers: Record<string, string>) => Promise<void>,
): Promise<number> {
  const headers = {
    'content-type': 'application/json',
    'user-agent': 'Milaan-Webhooks/1',
    'webhook-id': `evt_${'0'.repeat(32)}`,
    'webhook-timestamp': '1800000000',
    'webhook-signature': `v1,${'a'.repeat(44)}`,
  };
  const left = [...bodies];
  const start = performance.now();
  const worker = async () => {
    for (let body = left.pop(); body !== undefined; body = left.pop()) await send(body, headers);
  };
  await Promise.all(Array.from({ length: atOnce }, worker));
  const rate = (bodies.length * 1000) / (performance.now() - start);
  await heard();
  return rate;
}

async function post(
  pool: Pool,
  body: string,
  headers: Record<string, string>,
  reset: boolean,
): Promise<void> {
  const answer = await pool.request({ method: 'POST', path: '/hook', headers, body, reset });
  await answer.body.text();
  if (answer.statusCode !== 200) throw new Error(`answered ${answer.statusCode}`);
}
