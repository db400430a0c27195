import { randomBytes } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { connect, type Sql } from '../../src/base/database/connect.ts';
import { startEmbedded } from '../../src/base/database/embedded.ts';
import { idsEnd } from '../../src/base/settings/config-cells.ts';
import { newDataDir, removeDataDir, startReady } from '../../test/support/program.ts';
import { addMerchants, type Merchant } from '../http/add-merchants.ts';
import { addOpenOrders, type OpenOrder } from '../http/add-orders.ts';
import { median } from '../http/alternate.ts';
import { costed } from '../http/costed.ts';
import { needPrograms } from '../http/need-programs.ts';
import { type LoadOptions, runWrk } from '../http/run-wrk.ts';
import { processorSeconds, serverPid } from '../processor.ts';
import { report } from '../report.ts';

/**
 * The cost of an operation when an installation grows by cells: 1, 2 and 4 databases on one server. Each cell has its
 * own businesses and load, so four have four times the orders of one. Counts the processor time of `web` and PostgreSQL
 * together. A second row keeps one total load for all cells. Simultaneous requests share a statement only within a
 * cell, and a lone one finds another connection's caches. In turns; the worst figure counts.
 */
needPrograms('wrk');
const counts = [1, 2, 4] as const;
const shopsOfCell = 4;
const names = ['create', 'get', 'status'] as const;
/** Eight connections a cell that wait so long before they ask again: a cell gets 100 creates a second, 400 questions. */
const paces = { create: 80, get: 20, status: 20 };
const loads: Record<string, (cells: number, name: (typeof names)[number]) => Omit<LoadOptions, 'seconds'>> = {
  'a load a cell': (cells, name) => ({ connections: 8 * cells, pace: paces[name] }),
  'one at a time': () => ({ connections: 1 }),
  '64 at once': () => ({ connections: 64 }),
};
const ordersInAll = 8_000;
const rounds = 4;
const uncounted = 1;
const seconds = 3;
const idleSeconds = 10;
const secretKey = randomBytes(32).toString('hex');
const dataDir = newDataDir();
const database = await startEmbedded(dataDir, () => {});
const ends: (() => Promise<unknown>)[] = [];

type Side = { url: string; pid: number; sqls: Sql[]; cells: number };

async function start(cells: number): Promise<Side> {
  const server = connect(database.url, { most: 1 });
  const urls = Array.from({ length: cells }, (_, cell) => {
    const url = new URL(database.url);
    url.pathname = `/platform_${cells}_${cell}`;
    return url.href;
  });
  for (const url of urls) await server.unsafe(`create database ${new URL(url).pathname.slice(1)}`);
  await server.end();
  const file = join(dataDir, `cells-${cells}.json`);
  const ranges = urls.map((_, cell) => ({ from: Math.floor((idsEnd / cells) * cell), cell }));
  writeFileSync(file, JSON.stringify({ cells: urls, new: 0, ranges }));
  const program = await startReady(dataDir, {
    args: ['web'],
    env: {
      PUBLIC_URL: 'https://pay.example.in',
      HOST: '127.0.0.1',
      ...(cells === 1 ? { DATABASE_URL: urls[0]! } : { CELLS_FILE: file }),
      SECRET_KEY: secretKey,
      RATE_LIMITS: 'key=100000000,address=100000000',
    },
  });
  const sqls = urls.map(url => connect(url, { most: 2, statementTimeout: 600_000 }));
  ends.push(async () => {
    program.child.kill('SIGTERM');
    await program.ended;
    for (const sql of sqls) await sql.end();
  });
  return { url: program.url, pid: program.child.pid!, sqls, cells };
}

/** Adds the same number to each cell, with ids of its range. */
let nextId = 1_000_000_001;
async function openShops({ sqls, cells }: Side): Promise<(Merchant & { sql: Sql })[]> {
  nextId += shopsOfCell;
  const all = await Promise.all(
    sqls.map(async (sql, cell) => {
      const found = await addMerchants(sql, Math.floor((idsEnd / cells) * cell) + nextId, shopsOfCell);
      return found.map(merchant => ({ ...merchant, sql }));
    }),
  );
  return all.flat();
}

const kinds = Object.keys(loads).flatMap(load => names.map(name => `${name}, ${load}`));
/** Figures by kind. */
type Costs = Record<string, number[]>;

try {
  const sides: (Side & { orders: (OpenOrder & { apiKey: string })[]; costs: Costs })[] = [];
  for (const count of counts) {
    const side = await start(count);
    const orders: (OpenOrder & { apiKey: string })[] = [];
    for (const { sql, ...merchant } of await openShops(side))
      for (const order of await addOpenOrders(sql, merchant, ordersInAll / (shopsOfCell * count)))
        orders.push({ ...order, apiKey: merchant.apiKey });
    sides.push({ ...side, orders, costs: Object.fromEntries(kinds.map(kind => [kind, []])) });
  }
  const server = await serverPid(sides[0]!.sqls[0]!);
  // Their use while idle is subtracted, for each second.
  const idle = new Map<Side, number>();
  for (const side of sides) {
    const before = processorSeconds([side.pid, server]);
    await sleep(idleSeconds * 1000);
    idle.set(side, (processorSeconds([side.pid, server]) - before) / idleSeconds);
  }
  console.log(
    `idle, processor ms a second: ${[...idle.values()].map(one => Math.round(one * 1000)).join(', ')}`,
  );
  for (let round = 0; round < uncounted + rounds; round++) {
    for (const side of round % 2 === 0 ? sides : sides.toReversed()) {
      const keys = (await openShops(side)).map(({ apiKey }) => apiKey);
      const reads = (line: (order: (typeof side.orders)[number]) => string) => side.orders.map(line);
      const lines = {
        create: keys,
        get: reads(({ orderId, apiKey }) => `/api/v1/orders/${orderId} ${apiKey}`),
        status: reads(({ token }) => `/pay/${token}/status`),
      };
      for (const [load, optionsOf] of Object.entries(loads))
        for (const name of names) {
          const script = name === 'create' ? 'create' : 'read';
          const args = name === 'create' ? ['varied', `round-${round}-${load.replaceAll(' ', '-')}`] : [];
          const options = { seconds, args, ...optionsOf(side.cells, name) };
          const { microseconds, answers } = await costed([side.pid, server], () =>
            runWrk(side.url, script, lines[name], options),
          );
          const still = (idle.get(side)! * seconds * 1e6) / answers;
          if (round >= uncounted) side.costs[`${name}, ${load}`]!.push(microseconds - still);
        }
    }
  }
  const ratios = kinds.map(kind => {
    const [one, ...more] = sides.map(side => median(side.costs[kind]!));
    return { kind, worst: Math.max(...more) / one! };
  });
  report({
    name: 'platform',
    aim: { atMost: 1.1 },
    ratio: Math.max(...ratios.map(({ worst }) => worst)),
    rows: ratios.map(({ kind, worst }) => ({
      what: `${kind}, µs`,
      ...Object.fromEntries(
        sides.map(({ cells, costs }) => [`${cells} databases`, Math.round(median(costs[kind]!))]),
      ),
      worst: worst.toFixed(2),
    })),
  });
} finally {
  for (const end of ends) await end();
  await database.stop();
  removeDataDir(dataDir);
}
