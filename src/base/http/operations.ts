import { timingSafeEqual } from 'node:crypto';
import type { FastifyRequest } from 'fastify';
import { compareClocks } from '../database/compare-clocks.ts';
import { tryWriting } from '../database/try-writing.ts';
import { withDeadline } from '../database/with-deadline.ts';
import { metricsText } from '../metrics.ts';
import { version } from '../version.ts';
import type { World } from '../world.ts';
import { ApiError } from './api-error.ts';
import type { App } from './app.ts';

/** A role's checks of one database for /readyz: `ok` or the problem in words. */
export type Readiness = Record<string, (world: World) => Promise<string> | string>;

export function operationsRoutes(app: App, world: World, readiness: Readiness = {}): void {
  const { cells } = world;
  world.metrics.gauge('milaan_info', 'Always 1; its label is the version.', ['version']).set({ version }, 1);
  const probes = (cells?.worlds ?? [world]).map(one => watch(one, readiness));

  app.get('/healthz', () => ({ status: 'ok', version }));

  app.get('/readyz', async (request, reply) => {
    const unreachable = { database: 'not reachable' };
    // If one of several databases is down, still report the others.
    const found = await Promise.all(
      probes.map((probe): Promise<Checks> => (cells ? probe().catch(() => unreachable) : probe())),
    );
    // One failed database fails for all processes alike. While another takes orders, this process is useful.
    const ready = found.some(isReady);
    void reply.code(ready ? 200 : 503);
    // Only for the operator: shows the caller's address, so that a proxy that hides or forges it is noticed.
    const caller = hasToken(request, world.config) && { caller: request.ip };
    const checks = cells ? Object.fromEntries(found.map((one, cell) => [`cell ${cell}`, one])) : found[0];
    return { status: ready ? 'ready' : 'not ready', checks, ...caller };
  });

  app.get('/metrics', async (request, reply) => {
    if (!mayReadMetrics(request, world.config)) throw new ApiError('not_found');
    void reply.header('content-type', world.metrics.registry.contentType);
    return await metricsText([world, ...(cells?.worlds ?? [])].map(({ metrics }) => metrics));
  });
}

type Checks = Record<string, string>;

function isReady(checks: Checks): boolean {
  return checks['database'] === 'ok' && checks['clock'] === 'ok';
}

function watch(world: World, readiness: Readiness): () => Promise<Checks> {
  const databaseState = tryWriting(world);
  const probe = async (): Promise<Checks> => ({
    database: await databaseState(),
    clock: await clockState(world),
  });
  world.metrics.gauge(
    'milaan_ready',
    '1 while orders can be created: the database is writable and the clock is certain. Else 0.',
    [],
    async () => ((await databaseState()) === 'ok' && (await clockState(world)) === 'ok' ? 1 : 0),
  );
  return async () => {
    const checks = await probe();
    if (isReady(checks))
      for (const [name, check] of Object.entries(readiness)) checks[name] = await check(world);
    return checks;
  };
}

/** Checks the clock as creating an order does. The database check reports a database that does not answer. */
async function clockState({ sql, clock, log }: Pick<World, 'sql' | 'clock' | 'log'>): Promise<string> {
  if (clock.inDoubt?.()) await withDeadline(compareClocks(sql, { clock, log })).catch(() => {});
  return clock.unsettled ? 'in doubt: a clock is wrong, or was set, and no order is created' : 'ok';
}

/** Metrics reveal a shop's sales to competitors. Live, they need METRICS_TOKEN; in the sandbox they are open. */
function mayReadMetrics(request: FastifyRequest, config: World['config']): boolean {
  return config.metricsToken === null ? config.mode === 'sandbox' : hasToken(request, config);
}

function hasToken(request: FastifyRequest, { metricsToken }: World['config']): boolean {
  if (metricsToken === null) return false;
  const given = Buffer.from(request.headers.authorization ?? '');
  const wanted = Buffer.from(`Bearer ${metricsToken}`);
  return given.length === wanted.length && timingSafeEqual(given, wanted);
}
