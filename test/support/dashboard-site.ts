import { argon2Sync } from 'node:crypto';
import type { LightMyRequestResponse } from 'fastify';
import { type App, newApp } from '../../src/base/http/app.ts';
import { addUser } from '../../src/business/accounts/add-user.ts';
import type { Role } from '../../src/business/accounts/may-do.ts';
import { startSession } from '../../src/business/accounts/session.ts';
import { buildDashboard } from '../../src/dashboard/frame/build-dashboard.ts';
import { dashboardRoutes } from '../../src/dashboard/routes.ts';
import type { TestWorld } from './test-world.ts';

/** The dashboard on a real port, asked by a browser or without one. */
export type DashboardSite = {
  app: App;
  /** `http://localhost:…`: passkeys work on a name, and never on an address. */
  origin: string;
  stop(): Promise<void>;
};

export async function openDashboard(
  world: TestWorld,
  more: (app: App) => unknown = () => {},
): Promise<DashboardSite> {
  const app = newApp(world);
  dashboardRoutes(app, world, { files: await buildDashboard() });
  await more(app);
  const { port } = new URL(await app.listen({ host: '127.0.0.1', port: 0 }));
  const origin = `http://localhost:${port}`;
  world.baseUrl = origin;
  return { app, origin, stop: () => app.close() };
}

export const testPassword = 'correct horse battery';

export type TestUser = { merchantId: number; userId: string; email: string; role: Role };

let users = 0;

/** A cheap hash of `testPassword`. The product's hashes are slow on purpose; a hash's text names its cost. */
export const testPasswordHash = cheapHash();

function cheapHash(): string {
  const nonce = Buffer.alloc(16, 7);
  const cost = { memory: 8, passes: 1, parallelism: 1, tagLength: 32 };
  const hash = argon2Sync('argon2id', { message: testPassword, nonce, ...cost });
  const base64 = (bytes: Buffer) => bytes.toString('base64').replaceAll('=', '');
  return `$argon2id$v=19$m=8,t=1,p=1$${base64(nonce)}$${base64(hash)}`;
}

/** Somebody who can sign in with `testPassword`. An operator belongs to business 0. */
export async function addTestUser(world: TestWorld, merchantId: number, role: Role): Promise<TestUser> {
  const email = `${role}-${++users}@shop.example`;
  const userId = await addUser(world.sql, world, merchantId, {
    email,
    passwordHash: testPasswordHash,
    role,
  });
  return { merchantId, userId, email, role };
}

export type Caller = {
  cookie: string;
  token: string;
  get(path: string, headers?: Record<string, string>): Promise<LightMyRequestResponse>;
  post(
    path: string,
    fields?: Record<string, string> | [name: string, value: string][],
    headers?: Record<string, string>,
  ): Promise<LightMyRequestResponse>;
};

/** Requests as a browser with this person's session sends them; null for somebody without one. */
export async function callAs(
  { app }: DashboardSite,
  world: TestWorld,
  user: TestUser | null,
  { stage = 'full' as 'full' | 'code' } = {},
): Promise<Caller> {
  const { token } = user
    ? await world.sql.begin(tx =>
        startSession(tx, world, { ...user, stage, address: '127.0.0.1', agent: 'test' }),
      )
    : { token: '' };
  const cookie = user ? `milaan=${token}` : '';
  const common = { 'accept-language': 'en', ...(cookie && { cookie }) };
  return {
    cookie,
    token,
    get: (path, headers = {}) => app.inject({ url: path, headers: { ...common, ...headers } }),
    post: (path, fields = {}, headers = {}) =>
      app.inject({
        method: 'POST',
        url: path,
        headers: {
          ...common,
          'content-type': 'application/x-www-form-urlencoded',
          'sec-fetch-site': 'same-origin',
          origin: world.baseUrl,
          ...headers,
        },
        payload: new URLSearchParams(fields).toString(),
      }),
  };
}
