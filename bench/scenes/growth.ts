import { randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { later, stopwatch, systemClock } from '../../src/base/clock.ts';
import { connect, type Sql } from '../../src/base/database/connect.ts';
import { startEmbedded } from '../../src/base/database/embedded.ts';
import { migrate } from '../../src/base/database/migrate.ts';
import { paise } from '../../src/base/money.ts';
import { randomDigits } from '../../src/base/random.ts';
import { secretBox } from '../../src/base/secrets.ts';
import { readPlans, storePlans } from '../../src/business/merchants/plans.ts';
import { newPayToken } from '../../src/orders/order.ts';
import { claimDue } from '../../src/outbox/webhooks/queries/attempts.ts';
import { confirmPayment } from '../../src/payments/matching/confirm-payment.ts';
import { newDataDir, removeDataDir, startReady } from '../../test/support/program.ts';
import type { Merchant } from '../http/add-merchants.ts';
import type { OpenOrder } from '../http/add-orders.ts';
import { type Size, seedGrowth } from '../http/seed-growth.ts';
import { median } from '../mail/in-turns.ts';
import { withEndings } from '../mail/with-endings.ts';
import { report } from '../report.ts';

/** Nothing was erased here, so no key is ever opened. */
const nobody = secretBox([randomBytes(32)]);

/**
 * The same calls on a database with a long past and on a new one, in turns, one call at a time. With MILAAN_GROWTH_DIR
 * set, the filled databases are kept there for the next run, because filling takes ten minutes.
 */
const orders = { small: 10_000, large: Number(process.argv[2] ?? 10_000_000) };
const sized = (count: number): Size => ({ merchants: 1000, orders: count, alerts: count / 5 });
const times = 150;
const uncounted = 20;
const kept = process.env['MILAAN_GROWTH_DIR'];

type Side = { sql: Sql; url: string; apiKey: string; merchant: Merchant; open: OpenOrder[] };

const calls: Record<string, (side: Side, time: number) => Promise<number>> = {
  create: async ({ url, apiKey }, time) =>
    await timed(() =>
      fetch(`${url}/api/v1/orders`, {
        method: 'POST',
        headers: { 'x-api-key': apiKey, 'content-type': 'application/json' },
        body: JSON.stringify({
          amount: 5_000 + time * 4,
          merchant_order_id: `growth-${randomBytes(8).toString('hex')}`,
          success_url: 'https://shop.example.com/thanks',
          failure_url: 'https://shop.example.com/sorry',
          webhook_url: 'https://93.184.216.34/hook',
        }),
      }),
    ),
  status: async ({ url, open }, time) => await timed(() => fetch(`${url}/pay/${tokenOf(open, time)}/status`)),
  get: async ({ url, apiKey, open }, time) =>
    await timed(() =>
      fetch(`${url}/api/v1/orders/${open[time]!.orderId}`, { headers: { 'x-api-key': apiKey } }),
    ),
  list: async ({ url, apiKey }) =>
    await timed(() => fetch(`${url}/api/v1/orders?limit=100`, { headers: { 'x-api-key': apiKey } })),
  confirm: async ({ sql, merchant }, time) => {
    const alertTime = systemClock.now();
    const alertId = `al_${randomBytes(16).toString('hex')}`;
    const amount = paise(990000037 + (time + 1) * 300);
    await sql`insert into alerts (merchant_id, alert_id, raw_bytes, arrived_at, found_in, verdict)
      values (${merchant.merchantId}, ${alertId}, 9000, ${alertTime}, 'INBOX', 'unjudged')`;
    const took = stopwatch();
    const { outcome } = await confirmPayment(
      { sql, clock: systemClock, baseUrl: 'https://pay.example.in', secrets: nobody },
      {
        merchantId: merchant.merchantId,
        alertId,
        alertTime,
        amount,
        trust: 'confirmed',
        bank: 'hdfc',
        signatureIds: [randomBytes(16).toString('hex')],
        reference: `79${String(randomBytes(6).readUIntBE(0, 6) % 1e10).padStart(10, '0')}`,
        accountDigits: '4321',
        payeeVpa: null,
        template: 'upi',
        payer: null,
        signingDomain: 'hdfcbank.bank.in',
        selector: 's1',
        recipient: null,
      },
    );
    if (outcome !== 'paid') throw new Error(`not paid but ${outcome}`);
    return took();
  },
  claim: async ({ sql }) => {
    const took = stopwatch();
    const claimed = await claimDue({ sql, clock: systemClock }, { places: 4, backlogPlaces: 4 });
    const milliseconds = took();
    if (claimed.length === 0) throw new Error('nothing was claimed');
    await sql`delete from deliveries_in_hand`;
    return milliseconds;
  },
};

await withEndings(async atEnd => {
  const sides: Record<'small' | 'large', Side> = {
    small: await openSide('small', sized(orders.small), atEnd),
    large: await openSide('large', sized(orders.large), atEnd),
  };
  const rows = [];
  for (const [what, call] of Object.entries(calls)) {
    const figures = { small: [] as number[], large: [] as number[] };
    for (let time = 0; time < uncounted + times; time++) {
      for (const name of ['small', 'large'] as const) {
        const milliseconds = await call(sides[name], time);
        if (time >= uncounted) figures[name].push(milliseconds);
      }
    }
    rows.push({
      what,
      [`${orders.small} orders: p50 ms`]: median(figures.small).toFixed(2),
      [`${orders.large} orders: p50 ms`]: median(figures.large).toFixed(2),
      times: (median(figures.large) / median(figures.small)).toFixed(2),
    });
  }
  report({
    name: 'growth',
    aim: { atMost: 1.3 },
    ratio: Math.max(...rows.map(row => Number(row.times))),
    rows,
  });
});

async function openSide(name: string, size: Size, atEnd: (ending: () => unknown) => void): Promise<Side> {
  const folder = kept ? join(kept, name) : newDataDir();
  mkdirSync(folder, { recursive: true });
  if (!kept) atEnd(() => removeDataDir(folder));
  const database = await startEmbedded(folder, () => {});
  atEnd(() => database.stop());
  const sql = connect(database.url, { most: 4, statementTimeout: 3_600_000 });
  atEnd(() => sql.end());
  const keysFile = join(folder, 'growth-businesses.json');
  if (!existsSync(keysFile)) {
    await migrate(sql);
    await storePlans(sql, readPlans(null));
    const merchants = await seedGrowth(sql, size, line => console.log(`${name}, ${line}`));
    writeFileSync(keysFile, JSON.stringify(merchants.slice(0, 10)));
  }
  await migrate(sql);
  const merchants = JSON.parse(readFileSync(keysFile, 'utf8')) as Merchant[];
  const merchant = merchants[3]!;
  const open = await openOrders(sql, merchant);
  const program = await startReady(newDataDir(), {
    args: ['web'],
    env: {
      PUBLIC_URL: 'https://pay.example.in',
      HOST: '127.0.0.1',
      DATABASE_URL: database.url,
      SECRET_KEY: randomBytes(32).toString('hex'),
      RATE_LIMITS: 'off',
    },
  });
  atEnd(async () => {
    program.child.kill('SIGTERM');
    await program.ended;
  });
  return { sql, url: program.url, apiKey: merchant.apiKey, merchant, open };
}

/** Adds some open orders to the past ones. */
async function openOrders(sql: Sql, merchant: Merchant): Promise<OpenOrder[]> {
  await sql`delete from orders where merchant_id = ${merchant.merchantId} and webhook_url = 'https://growth.example/hook'`;
  const now = systemClock.now();
  const rows = Array.from({ length: 2 * (times + uncounted) }, () => ({
    orderId: `GR-${randomDigits(10)}`,
    token: newPayToken(merchant.merchantId),
  }));
  await sql`
    insert into orders (merchant_id, order_id, merchant_order_id, amount_paise, payable_paise, status, created_at,
      expires_at, pay_token, account_id, success_url, failure_url, webhook_url)
    select ${merchant.merchantId}::bigint, n.order_id, n.order_id, 990000000 + place * 300, 990000037 + place * 300, 'pending',
      ${now}::timestamptz, ${later(now, 3_600_000)}::timestamptz, n.token, ${merchant.accountId}::text, 'https://a.example', 'https://a.example',
      'https://growth.example/hook'
    from unnest(${rows.map(row => row.orderId)}::text[], ${rows.map(row => row.token)}::text[]) with ordinality as n (order_id, token, place)`;
  return rows;
}

/** A token that is not in memory. */
function tokenOf(open: readonly OpenOrder[], time: number): string {
  return open[open.length - 1 - time]!.token;
}

async function timed(call: () => Promise<Response>): Promise<number> {
  const took = stopwatch();
  const response = await call();
  await response.text();
  const milliseconds = took();
  if (!response.ok) throw new Error(`answered ${response.status}`);
  return milliseconds;
}
