import { processorSeconds, serverPid } from '../processor.ts';
import { type Report, report } from '../report.ts';
import { addMerchants } from './add-merchants.ts';
import { alternate, median } from './alternate.ts';
import { costed } from './costed.ts';
import { needPrograms } from './need-programs.ts';
import { type Price, runPgbench } from './run-pgbench.ts';
import { runWrk } from './run-wrk.ts';
import { startService } from './start-service.ts';

const rounds = { counted: 5 };
const seconds = 3;

/**
 * Creates over HTTP against the same statement through pgbench. Each round uses new businesses, because amounts held
 * from earlier rounds would change the work.
 */
export async function compareCreates({
  merchants,
  price,
  ...what
}: Pick<Report, 'name' | 'aim'> & {
  merchants: number;
  price: Price;
}): Promise<void> {
  needPrograms('wrk', 'pgbench');
  const service = await startService();
  const { sql, url } = service;
  let nextId = 1_000_000_000_001;
  const fresh = () => {
    nextId += merchants;
    return addMerchants(sql, nextId - merchants, merchants);
  };
  try {
    const database = await serverPid(sql);
    const { ours, limit } = await alternate(
      rounds,
      async round => {
        // The planner now knows the tables, as in a service that has run for a day.
        if (round === 2) await sql.unsafe('vacuum analyze');
        const shops = await fresh();
        const keys = shops.map(({ apiKey }) => apiKey);
        const before = processorSeconds([database]);
        const load = await costed([service.pid, database], () =>
          runWrk(url, 'create', keys, { seconds, args: [String(price), `round-${round}`] }),
        );
        return { ...load, inDatabase: ((processorSeconds([database]) - before) * 1e6) / load.answers };
      },
      async () =>
        await costed([database], async () => await runPgbench(service, await fresh(), price, { seconds })),
    );
    const [fast, most] = [ours, limit].map(side => median(side.map(({ perSecond }) => perSecond)));
    report({
      ...what,
      ratio: fast! / most!,
      rows: [
        {
          what: 'POST /api/v1/orders, 64 connections',
          'a second': Math.round(fast!),
          rounds: ours.map(({ perSecond }) => Math.round(perSecond)).join(' '),
          'p50 ms': median(ours.map(({ p50 }) => p50)).toFixed(1),
          'p99 ms': median(ours.map(({ p99 }) => p99)).toFixed(1),
          'CPU µs each': Math.round(median(ours.map(({ microseconds }) => microseconds))),
          'of it database': Math.round(median(ours.map(({ inDatabase }) => inDatabase))),
        },
        {
          what: 'the same SQL through pgbench, 16 clients',
          'a second': Math.round(most!),
          rounds: limit.map(({ perSecond }) => Math.round(perSecond)).join(' '),
          'CPU µs each': Math.round(median(limit.map(({ microseconds }) => microseconds))),
          'of it database': Math.round(median(limit.map(({ microseconds }) => microseconds))),
        },
      ],
    });
  } finally {
    await service.stop();
  }
}
