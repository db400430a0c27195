import { newApp } from './http/app.ts';
import { operationsRoutes } from './http/operations.ts';
import { orderRoutes } from './orders/routes.ts';
import { startArchiving } from './orders/start-archiving.ts';
import { StartError } from './start-error.ts';
import type { World } from './world.ts';

export type Running = { stop(): Promise<void> };

/** Starts what this process is for. Roles share nothing but the database, so any mix runs anywhere. */
export async function startRoles(world: World, say: (line: string) => void): Promise<Running> {
  const { roles } = world.config;
  const running: Running[] = [];
  if (roles.includes('deliver')) running.push(startArchiving(world));
  running.push(await startWeb(world, say));
  return {
    async stop() {
      // The web server first: what it accepted may still hand work to the others.
      for (const role of running.reverse()) await role.stop();
    },
  };
}

/** Every process answers /healthz, /readyz and /metrics; only the web role has the rest. */
async function startWeb(world: World, say: (line: string) => void): Promise<Running> {
  const { roles, host, port } = world.config;
  const app = newApp(world);
  operationsRoutes(app, world);
  if (roles.includes('web')) await orderRoutes(app, world);
  try {
    await app.listen({ host, port });
  } catch (error) {
    throw listenProblem(error, host, port);
  }
  say(`listening on http://${host}:${port}`);
  return { stop: () => app.close() };
}

function listenProblem(error: unknown, host: string, port: number): unknown {
  const code = (error as NodeJS.ErrnoException).code;
  if (code === 'EADDRINUSE') return new StartError(`port ${port} is already in use: set PORT to another one`);
  if (code === 'EACCES')
    return new StartError(`port ${port} may not be used by this user: set PORT above 1023`);
  if (code === 'EADDRNOTAVAIL') return new StartError(`HOST ${host} is not an address of this machine`);
  return error;
}
