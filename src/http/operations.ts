import { timingSafeEqual } from 'node:crypto';
import type { FastifyRequest } from 'fastify';
import { second } from '../clock.ts';
import { isMigrated } from '../database/migrate.ts';
import { withDeadline } from '../database/with-deadline.ts';
import type { World } from '../world.ts';
import { ApiError } from './api-error.ts';
import type { App } from './app.ts';

const readyDeadline = 2 * second;

/** What a role tells about itself at /readyz: `ok`, or what is wrong in words. */
export type Readiness = Record<string, () => Promise<string> | string>;

/** For the operator and the machines around us: alive, ready, metrics. */
export function operationsRoutes(
  app: App,
  world: Pick<World, 'sql' | 'metrics' | 'config'>,
  readiness: Readiness = {},
): void {
  app.get('/healthz', () => ({ status: 'ok' }));

  app.get('/readyz', async (_request, reply) => {
    const checks: Record<string, string> = { database: await databaseState(world) };
    const ready = checks['database'] === 'ok';
    for (const [name, check] of Object.entries(ready ? readiness : {})) checks[name] = await check();
    void reply.code(ready ? 200 : 503);
    return { status: ready ? 'ready' : 'not ready', checks };
  });

  app.get('/metrics', async (request, reply) => {
    if (!mayReadMetrics(request, world.config)) throw new ApiError('not_found');
    void reply.header('content-type', world.metrics.registry.contentType);
    return await world.metrics.registry.metrics();
  });
}

async function databaseState({ sql }: Pick<World, 'sql'>): Promise<string> {
  try {
    return (await withDeadline(isMigrated(sql), readyDeadline)) ? 'ok' : 'migrations are missing';
  } catch {
    return 'not reachable';
  }
}

/** Figures tell a competitor what a shop earns: live, only whoever holds METRICS_TOKEN; in the sandbox this machine. */
function mayReadMetrics(request: FastifyRequest, { metricsToken, mode }: World['config']): boolean {
  if (metricsToken === null) return mode === 'sandbox';
  const given = Buffer.from(request.headers.authorization ?? '');
  const wanted = Buffer.from(`Bearer ${metricsToken}`);
  return given.length === wanted.length && timingSafeEqual(given, wanted);
}
