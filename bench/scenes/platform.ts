import { randomBytes } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
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
import { processorSeconds, serverPid } from '../processor.ts';
import { report } from '../report.ts';

/**
 * What an operation costs where the same businesses live in 1, 2 and 4 databases of one server, processor time of `web`
 * and PostgreSQL together: an operation asks one cell, so one at a time it must cost what it costs with one. Beside it,
 * without an aim, over 64 connections: what arrives together shares a statement, but only in its own cell. In turns.
 */
needPrograms('wrk');
const counts = [1, 2, 4] as const;
const shops = 8;
const lanes = [1, 64] as const;
const ordersEach = 1_000;
const rounds = 5;
const uncounted = 1;
const seconds = 2;
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

/** As many in each cell, by ids of its range. */
let nextId = 1_000_000_001;
async function openShops({ sqls, cells }: Side): Promise<(Business & { sql: Sql })[]> {
  nextId += shops;
  const all = await Promise.all(
    sqls.map(async (sql, cell) => {
      const found = await addBusinesses(sql, Math.floor((idsEnd / cells) * cell) + nextId, shops / cells);
      return found.map(business => ({ ...business, sql }));
    }),
  );
  return all.flat();
}

const names = ['create', 'get', 'status'] as const;
const kinds = lanes.flatMap(connections => names.map(name => `${name}, ${connections}`));
/** By kind. */
type Costs = Record<string, number[]>;

try {
  const sides: (Side & { orders: (OpenOrder & { apiKey: string })[]; costs: Costs })[] = [];
  for (const count of counts) {
    const side = await start(count);
    const orders: (OpenOrder & { apiKey: string })[] = [];
    for (const { sql, ...business } of await openShops(side))
      for (const order of await addOpenOrders(sql, business, ordersEach))
        orders.push({ ...order, apiKey: business.apiKey });
    sides.push({ ...side, orders, costs: Object.fromEntries(kinds.map(kind => [kind, []])) });
  }
  const server = await serverPid(sides[0]!.sqls[0]!);
  // What they use while nothing happens is taken off, a second's worth of it.
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
      for (const connections of lanes)
        for (const name of names) {
          const args = name === 'create' ? ['varied', `round-${round}-${connections}`] : [];
          const load = () =>
            runWrk(side.url, name === 'create' ? 'create' : 'read', lines[name], {
              seconds,
              args,
              connections,
            });
          const { microseconds, answers } = await costed([side.pid, server], load);
          const still = (idle.get(side)! * seconds * 1e6) / answers;
          if (round >= uncounted) side.costs[`${name}, ${connections}`]!.push(microseconds - still);
        }
    }
  }
  const worst = names.flatMap(name => {
    const costs = sides.map(side => median(side.costs[`${name}, 1`]!));
    return costs.map(cost => cost / costs[0]!);
  });
  report({
    name: 'platform',
    aim: { atMost: 1.1 },
    ratio: Math.max(...worst),
    rows: sides.map(({ cells, costs }) => ({
      what: `${shops} businesses in ${cells} ${cells === 1 ? 'database' : 'cells'}`,
      ...Object.fromEntries(Object.entries(costs).map(([name, all]) => [name, Math.round(median(all))])),
    })),
  });
} finally {
  for (const end of ends) await end();
  await database.stop();
  removeDataDir(dataDir);
}
