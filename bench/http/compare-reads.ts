import { serverPid } from '../processor.ts';
import { type Report, report } from '../report.ts';
import { addMerchants, type Merchant } from './add-merchants.ts';
import { addOpenOrders, type OpenOrder } from './add-orders.ts';
import { alternate, median } from './alternate.ts';
import { costed } from './costed.ts';
import { needPrograms } from './need-programs.ts';
import { runWrk } from './run-wrk.ts';
import { startBare } from './start-bare.ts';
import { startService } from './start-service.ts';

/** Short, because watched orders are asked for every two seconds, and turns of the other side must not be longer. */
const seconds = 1;
const rounds = { uncounted: 12, counted: 15 };
const openOrders = 10_000;

type Reads = Pick<Report, 'name' | 'aim'> & {
  path: (order: OpenOrder) => string;
  /** Whether the request carries the API key. */
  withKey: boolean;
};

/**
 * Processor time of reading an open order, against a bare Fastify route that has the same answers ready. A read with a
 * key always asks the database, so its limit is a bare route that first reads one row by its key.
 */
export async function compareReads({ path, withKey, ...what }: Reads): Promise<void> {
  needPrograms('wrk');
  const service = await startService();
  try {
    const [merchant] = (await addMerchants(service.sql, 1_000_000_000_001, 1)) as [Merchant];
    const orders = await addOpenOrders(service.sql, merchant, openOrders);
    const key = withKey ? merchant.apiKey : null;
    const paths = orders.map(path);
    const lines = key === null ? paths : paths.map(path => `${path} ${key}`);
    const bare = await startBare(service.url, paths, key);
    const asking = withKey ? await startBare(service.url, paths, key, service.databaseUrl) : null;
    const database = await serverPid(service.sql);
    const load = (url: string, ...pids: number[]) =>
      costed(pids, () => runWrk(url, 'read', lines, { seconds }));
    const { ours, limit } = await alternate(
      rounds,
      () => load(service.url, service.pid, database),
      async () => ({
        ...(await load(bare.url, bare.pid)),
        asking: asking && (await load(asking.url, asking.pid, database)),
      }),
    );
    const least = limit.flatMap(one => one.asking ?? []);
    bare.stop();
    asking?.stop();
    const rate = (side: typeof least) => median(side.map(({ perSecond }) => perSecond));
    const cost = (side: typeof least) => median(side.map(({ microseconds }) => microseconds));
    const row = (name: string, side: typeof least) => ({
      what: name,
      'answers a second': Math.round(rate(side)),
      rounds: side.map(({ perSecond }) => Math.round(perSecond)).join(' '),
      'p50 ms': median(side.map(({ p50 }) => p50)).toFixed(1),
      'p99 ms': median(side.map(({ p99 }) => p99)).toFixed(1),
      'CPU µs an answer': Math.round(cost(side)),
    });
    report({
      ...what,
      ratio: cost(ours) / cost(asking ? least : limit),
      rows: [
        row(`${what.name} of ${openOrders} open orders, 64 connections`, ours),
        row('a bare Fastify route with the same bytes', limit),
        ...(asking ? [row('the same, after one row by its key', least)] : []),
      ],
    });
  } finally {
    await service.stop();
  }
}
