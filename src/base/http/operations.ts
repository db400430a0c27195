import { timingSafeEqual } from 'node:crypto';
import type { FastifyRequest } from 'fastify';
import { compareClocks } from '../database/compare-clocks.ts';
import { tryWriting } from '../database/try-writing.ts';
import { withDeadline } from '../database/with-deadline.ts';
import { version } from '../version.ts';
import type { World } from '../world.ts';
import { ApiError } from './api-error.ts';
import type { App } from './app.ts';

/** What a role tells about itself at /readyz: `ok`, or what is wrong in words. */
export type Readiness = Record<string, () => Promise<string> | string>;

/** For the operator and the machines around us: alive, ready, metrics. */
export function operationsRoutes(
  app: App,
  world: Pick<World, 'sql' | 'clock' | 'log' | 'metrics' | 'config'>,
  readiness: Readiness = {},
): void {
  const databaseState = tryWriting(world);
  world.metrics
    .gauge('milaan_info', 'Always 1; its label tells the version.', ['version'])
    .set({ version }, 1);
  world.metrics.gauge(
    'milaan_ready',
    '1 while an order would be taken: the database can be written, and the clock is certain; else 0.',
    [],
    async () => ((await databaseState()) === 'ok' && (await clockState(world)) === 'ok' ? 1 : 0),
  );

  app.get('/healthz', () => ({ status: 'ok', version }));

  app.get('/readyz', async (request, reply) => {
    const checks: Record<string, string> = {
      database: await databaseState(),
      clock: await clockState(world),
    };
    const ready = checks['database'] === 'ok' && checks['clock'] === 'ok';
    for (const [name, check] of Object.entries(ready ? readiness : {})) checks[name] = await check();
    void reply.code(ready ? 200 : 503);
    // For the operator alone: whom we take the caller for, so that a proxy that hides or forges it is noticed.
    const caller = holdsToken(request, world.config) && { caller: request.ip };
    return { status: ready ? 'ready' : 'not ready', checks, ...caller };
  });

  app.get('/metrics', async (request, reply) => {
    if (!mayReadMetrics(request, world.config)) throw new ApiError('not_found');
    void reply.header('content-type', world.metrics.registry.contentType);
    return await world.metrics.registry.metrics();
  });
}

/** Asked as whoever creates an order asks. A database that does not answer says so for itself. */
async function clockState({ sql, clock, log }: Pick<World, 'sql' | 'clock' | 'log'>): Promise<string> {
  if (clock.inDoubt?.()) await withDeadline(compareClocks(sql, { clock, log })).catch(() => {});
  return clock.unsettled ? 'in doubt: a clock is wrong, or was set, and no order is created' : 'ok';
}

/** Figures tell a competitor what a shop earns: live, only whoever holds METRICS_TOKEN; in the sandbox this machine. */
function mayReadMetrics(request: FastifyRequest, config: World['config']): boolean {
  return config.metricsToken === null ? config.mode === 'sandbox' : holdsToken(request, config);
}

function holdsToken(request: FastifyRequest, { metricsToken }: World['config']): boolean {
  if (metricsToken === null) return false;
  const given = Buffer.from(request.headers.authorization ?? '');
  const wanted = Buffer.from(`Bearer ${metricsToken}`);
  return given.length === wanted.length && timingSafeEqual(given, wanted);
}
