import { randomBytes } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { connect, type Sql } from '../../src/base/database/connect.ts';
import { startEmbedded } from '../../src/base/database/embedded.ts';
import { idsEnd } from '../../src/base/settings/config-cells.ts';
import { newDataDir, removeDataDir, startReady } from '../../test/support/program.ts';
import { addBusinesses, type Business } from '../http/add-businesses.ts';
import { addOpenOrders, type OpenOrder } from '../http/add-orders.ts';
import { median } from '../http/alternate.ts';
import { costed } from '../http/costed.ts';
import { needPrograms } from '../http/need-programs.ts';
import { runWrk } from '../http/run-wrk.ts';
import { serverPid } from '../processor.ts';
import { report } from '../report.ts';

/**
 * What an operation costs in 1, 2 and 4 cells of one server, processor time of `web` and PostgreSQL together: an
 * operation asks one cell, so it must cost what it costs with one. Each cell has the same load, as where a platform
 * grows by a cell: what arrives together shares a statement in its own cell only. In turns.
 */
needPrograms('wrk');
const counts = [1, 2, 4] as const;
const shopsEach = 4;
const connectionsEach = 16;
const ordersEach = 1_000;
const rounds = 5;
const uncounted = 1;
const seconds = 2;
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

/** As many in each cell, by ids of its range. */
let nextId = 1_000_000_001;
async function openShops({ sqls, cells }: Side): Promise<(Business & { sql: Sql })[]> {
  nextId += shopsEach;
  const all = await Promise.all(
    sqls.map(async (sql, cell) => {
      const found = await addBusinesses(sql, Math.floor((idsEnd / cells) * cell) + nextId, shopsEach);
      return found.map(business => ({ ...business, sql }));
    }),
  );
  return all.flat();
}

type Costs = Record<'create' | 'get' | 'status', number[]>;

try {
  const sides: (Side & { orders: (OpenOrder & { apiKey: string })[]; costs: Costs })[] = [];
  for (const count of counts) {
    const side = await start(count);
    const orders: (OpenOrder & { apiKey: string })[] = [];
    for (const { sql, ...business } of await openShops(side))
      for (const order of await addOpenOrders(sql, business, ordersEach))
        orders.push({ ...order, apiKey: business.apiKey });
    sides.push({ ...side, orders, costs: { create: [], get: [], status: [] } });
  }
  const server = await serverPid(sides[0]!.sqls[0]!);
  for (let round = 0; round < uncounted + rounds; round++) {
    for (const side of round % 2 === 0 ? sides : sides.toReversed()) {
      const keys = (await openShops(side)).map(({ apiKey }) => apiKey);
      const load = { seconds, connections: connectionsEach * side.cells };
      const loads = {
        create: () => runWrk(side.url, 'create', keys, { ...load, args: ['varied', `round-${round}`] }),
        get: () =>
          runWrk(
            side.url,
            'read',
            side.orders.map(({ orderId, apiKey }) => `/api/v1/orders/${orderId} ${apiKey}`),
            load,
          ),
        status: () =>
          runWrk(
            side.url,
            'read',
            side.orders.map(({ token }) => `/pay/${token}/status`),
            load,
          ),
      };
      for (const [name, run] of Object.entries(loads) as [keyof Costs, () => ReturnType<typeof runWrk>][]) {
        const { microseconds } = await costed([side.pid, server], run);
        if (round >= uncounted) side.costs[name].push(microseconds);
      }
    }
  }
  const names = ['create', 'get', 'status'] as const;
  const worst = names.flatMap(name => {
    const costs = sides.map(side => median(side.costs[name]));
    return costs.map(cost => cost / costs[0]!);
  });
  report({
    name: 'platform',
    aim: { atMost: 1.1 },
    ratio: Math.max(...worst),
    rows: sides.map(({ cells, costs }) => ({
      what: `${cells} ${cells === 1 ? 'database' : 'cells'}, ${connectionsEach} connections each`,
      ...Object.fromEntries(names.map(name => [`${name}, CPU µs`, Math.round(median(costs[name]))])),
    })),
  });
} finally {
  for (const end of ends) await end();
  await database.stop();
  removeDataDir(dataDir);
}
