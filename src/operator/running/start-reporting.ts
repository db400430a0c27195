import { hostname } from 'node:os';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { second } from '../../base/clock.ts';
import { keepWorking } from '../../base/database/keep-working.ts';
import { programVersion } from '../../base/database/program-name.ts';
import type { Metrics } from '../../base/metrics.ts';
import type { World } from '../../base/world.ts';
import { mailNews } from '../../business/accounts/mail-operators.ts';
import { addCounts, claimUnmailedAwaiting, claimUnmailedReports, saveProcess } from '../queries.ts';
import { type Metric, type ReportedMetric, reportedMetrics } from './reported-metrics.ts';

/** The same interval as Prometheus's. */
const pause = 15 * second;
const nanoseconds = 1e9;

/** Reports metrics' growth, clock and lateness to operators without Prometheus. A process without a report has died. */
export function startReporting(world: Pick<World, 'sql' | 'clock' | 'config' | 'log' | 'metrics'>): {
  stop(): Promise<void>;
} {
  const { sql, clock, config, metrics } = world;
  const process = `${hostname()}:${config.port} ${config.roles.join(' ')}`;
  const reported = new Map<ReportedMetric, number>();
  const lag = monitorEventLoopDelay({ resolution: 50 });
  lag.enable();
  const worker = keepWorking(world, { what: "reporting this process's state", pause }, async () => {
    const grown: { figure: ReportedMetric; count: number; total: number }[] = [];
    for (const figure of Object.keys(reportedMetrics) as ReportedMetric[]) {
      const total = await read(metrics, reportedMetrics[figure]);
      const count = total - (reported.get(figure) ?? 0);
      if (count > 0) grown.push({ figure, count, total });
    }
    await sql.begin(async tx => {
      await addCounts(tx, clock.now(), grown);
      await saveProcess(tx, {
        process,
        version: programVersion(),
        skew_seconds: (clock.skew ?? 0) / second,
        jump_seconds: (clock.jump ?? 0) / second,
        lag_seconds: lag.percentile(99) / nanoseconds,
        overdue_seconds: await read(metrics, ['milaan_history_overdue_seconds']),
      });
    });
    for (const { figure, total } of grown) reported.set(figure, total);
    lag.reset();
  });
  return {
    async stop() {
      lag.disable();
      await worker.stop();
      // A process that was stopped must not be reported missing.
      await sql`delete from processes where process = ${process}`.catch(() => {});
    },
  };
}

async function read({ registry }: Metrics, [metric, ...wanted]: Metric): Promise<number> {
  const { values } = (await registry.getSingleMetric(metric)?.get()) ?? { values: [] };
  return values
    .filter(
      ({ labels }) =>
        wanted.length === 0 || Object.values(labels).some(value => wanted.includes(String(value))),
    )
    .reduce((sum, { value }) => sum + value, 0);
}

type MailWorld = Pick<World, 'sql' | 'clock' | 'config' | 'secrets' | 'baseUrl'>;

export function mailReports(world: MailWorld): Promise<number> {
  const link = `${world.baseUrl}/dashboard/operator/watch`;
  return mailNews(world, claimUnmailedReports, ({ mails }, { length: count }) =>
    mails.reports({ count, link }),
  );
}

export function mailAwaiting(world: MailWorld): Promise<number> {
  const link = `${world.baseUrl}/dashboard/operator`;
  return mailNews(world, claimUnmailedAwaiting, ({ mails }, { length: count }) =>
    mails.awaitsWord({ count, link }),
  );
}
