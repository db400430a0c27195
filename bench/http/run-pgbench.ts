import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { later, systemClock } from '../../src/base/clock.ts';
import type { Sql } from '../../src/base/database/connect.ts';
import { writeQuery } from '../../src/base/database/write-query.ts';
import { paise } from '../../src/base/money.ts';
import { guardTime, lateWindow, payableTime } from '../../src/base/time-windows.ts';
import { insertOrders, type NewOrder } from '../../src/orders/queries.ts';
import type { Merchant } from './add-merchants.ts';

/** Rupees. */
export type Price = number | 'varied';

const threads = 2;

/**
 * Orders per second that PostgreSQL takes from pgbench with the product's own statement. Rows are counted: a statement
 * whose amount was taken in between is no order.
 */
export async function runPgbench(
  { sql, databaseUrl }: { sql: Sql; databaseUrl: string },
  merchants: readonly Merchant[],
  price: Price,
  { seconds, clients = 16 }: { seconds: number; clients?: number },
): Promise<{ perSecond: number; answers: number }> {
  await addPlainKeys(sql, merchants);
  const before = await countOrders(sql, merchants);
  const folder = mkdtempSync(join(tmpdir(), 'milaan-bench-pgbench-'));
  try {
    const file = join(folder, 'create.sql');
    const { text, constants } = createScript(sql, merchants, price);
    writeFileSync(file, text);
    const options = [
      ...[
        '-n',
        '-M',
        'prepared',
        '-c',
        String(clients),
        '-j',
        String(Math.min(threads, clients)),
        '-T',
        String(seconds),
      ],
      ...Object.entries(constants).flatMap(([name, value]) => ['-D', `${name}=${value}`]),
    ];
    const { stdout } = await promisify(execFile)('pgbench', [...options, '-f', file, databaseUrl], {
      // The same settings as the product's own connections.
      env: { ...process.env, PGOPTIONS: '-c TimeZone=UTC -c plan_cache_mode=force_generic_plan' },
    });
    const figure = (pattern: RegExp) => Number(pattern.exec(stdout)?.[1]);
    const processed = figure(/actually processed: (\d+)/);
    const failed = figure(/failed transactions: (\d+)/);
    if (!(processed > 0) || failed !== 0) throw new Error(`pgbench failed:\n${stdout}`);
    const orders = (await countOrders(sql, merchants)) - before;
    return { perSecond: (figure(/tps = ([\d.]+)/) * orders) / processed, answers: orders };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** pgbench knows only numbers, so each business gets a second key whose hash is written like its id. */
async function addPlainKeys(sql: Sql, merchants: readonly Merchant[]): Promise<void> {
  await sql`
    insert into api_keys (merchant_id, key_hash, key_id, name, created_at)
    select id, convert_to(id::text, 'UTF8'), 'pgbench', 'pgbench', ${systemClock.now()}::timestamptz
    from unnest(${merchants.map(({ merchantId }) => merchantId)}::bigint[]) as id
    on conflict do nothing`;
}

async function countOrders(sql: Sql, merchants: readonly Merchant[]): Promise<number> {
  const [row] = await sql<{ count: number }[]>`
    select count(*) as count from orders
    where merchant_id between ${merchants[0]!.merchantId} and ${merchants.at(-1)!.merchantId}`;
  return row!.count;
}

type Script = { text: string; constants: Record<string, string> };

/**
 * The text that `insertOrders` sends for one order. Every parameter stays one: a pgbench variable, random or constant.
 */
function createScript(sql: Sql, merchants: readonly Merchant[], price: Price): Script {
  const now = systemClock.now();
  const caller = { merchantId: Number.MAX_SAFE_INTEGER - 1, hash: 'the hash of the key' };
  const order: NewOrder = {
    order_id: 'order_id',
    merchant_order_id: 'merchant_order_id',
    amount_paise: paise(Number.MAX_SAFE_INTEGER),
    created_at: now,
    expires_at: later(now, payableTime),
    held_until: later(now, payableTime + lateWindow + guardTime),
    pay_token: 'pay_token',
    account_id: null,
    success_url: 'https://shop.example.com/thanks?cart=12345',
    failure_url: 'https://shop.example.com/sorry?cart=12345',
    webhook_url: 'https://93.184.216.34/hooks/upi',
    customer: { name: 'Asha Rao', email: 'asha@example.com' },
  };
  const drawn = new Map<unknown, string>([
    [caller.merchantId, 'business'],
    [caller.hash, 'business'],
    [order.amount_paise, 'amount'],
    [order.order_id, 'order_id'],
    [order.merchant_order_id, 'merchant_order_id'],
    [order.pay_token, 'pay_token'],
  ]);
  const { text, values } = writeQuery(insertOrders(sql, [{ caller, order }]).template);
  const constants: Record<string, string> = {};
  const statement = text.replaceAll(/\$(\d+)/g, (_, number) => {
    const value = values[Number(number) - 1];
    // The one thing that pgbench cannot send as a parameter.
    if (value === null) return 'null';
    const variable = drawn.get(value) ?? `constant${number}`;
    if (!drawn.has(value)) constants[variable] = value instanceof Date ? value.toISOString() : String(value);
    return `:${variable}`;
  });
  const settings = [
    `business random(${merchants[0]!.merchantId}, ${merchants.at(-1)!.merchantId})`,
    `amount ${price === 'varied' ? 'random(100, 100000000)' : price * 100}`,
    'order_id random(1000000000000, 9999999999999)',
    'merchant_order_id random(1, 1000000000000000000)',
    'pay_token random(1, 1000000000000000000)',
  ];
  return { text: `${settings.map(line => `\\set ${line}\n`).join('')}${statement};\n`, constants };
}
