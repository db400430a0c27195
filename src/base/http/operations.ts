import { timingSafeEqual } from 'node:crypto';
import type { FastifyRequest } from 'fastify';
import { tryWriting } from '../database/try-writing.ts';
import { version } from '../version.ts';
import type { World } from '../world.ts';
import { ApiError } from './api-error.ts';
import type { App } from './app.ts';

/** What a role tells about itself at /readyz: `ok`, or what is wrong in words. */
export type Readiness = Record<string, () => Promise<string> | string>;

/** For the operator and the machines around us: alive, ready, metrics. */
export function operationsRoutes(
  app: App,
  world: Pick<World, 'sql' | 'clock' | 'metrics' | 'config'>,
  readiness: Readiness = {},
): void {
  const databaseState = tryWriting(world);
  world.metrics
    .gauge('milaan_info', 'Always 1; its label tells the version.', ['version'])
    .set({ version }, 1);
  world.metrics.gauge(
    'milaan_ready',
    '1 while the database can be reached and written, else 0.',
    [],
    async () => ((await databaseState()) === 'ok' ? 1 : 0),
  );

  app.get('/healthz', () => ({ status: 'ok', version }));

  app.get('/readyz', async (request, reply) => {
    const checks: Record<string, string> = { database: await databaseState() };
    const ready = checks['database'] === 'ok';
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
