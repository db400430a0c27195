import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { LightMyRequestResponse } from 'fastify';
import { type App, newApp } from '../../src/base/http/app.ts';
import { listeningRoutes } from '../../src/developers/listening/routes.ts';
import { buildBrowser } from '../../src/orders/page/build-browser.ts';
import { checkoutRoutes } from '../../src/orders/page/routes.ts';
import { orderRoutes } from '../../src/orders/routes.ts';
import type { CreatedOrderJson } from '../../src/orders/schemas.ts';
import { enterReference } from '../../src/payments/review/enter-reference.ts';
import { readSandboxFile, type SandboxFile } from '../../src/sandbox/sandbox-file.ts';
import { type OpenSandbox, startSandbox } from '../../src/sandbox/start-sandbox.ts';
import { orderBody } from './api.ts';
import { mailKey } from './signed-mail.ts';
import { openTestWorld, type TestWorld } from './test-world.ts';

/** The sandbox on a real database with a clock and a DNS behind it that the test owns, asked without a socket. */
export type TestSandbox = {
  outside: TestWorld;
  sandbox: OpenSandbox;
  app: App;
  file: SandboxFile;
  create(change?: Record<string, unknown>): Promise<CreatedOrderJson>;
  order(orderId: string): Promise<Record<string, unknown>>;
  post(path: string, body: unknown): Promise<LightMyRequestResponse>;
  pay(
    orderId: string,
    how: string,
  ): Promise<Record<string, unknown> & { verdicts: Record<string, unknown>[] }>;
  mail(raw: Buffer | string): Promise<LightMyRequestResponse>;
  putDns(name: string, value: string): Promise<LightMyRequestResponse>;
  putAccount(account: unknown): Promise<LightMyRequestResponse>;
  stop(): Promise<void>;
};

/** The simulated bank's own would be made at its first start, and is as long as a bank's should be. */
export function keepBankKey(dataDir: string): void {
  const pem = mailKey(1024, 'sandbox').privateKey.export({ type: 'pkcs8', format: 'pem' });
  writeFileSync(join(dataDir, 'sandbox-bank-key.pem'), pem, { mode: 0o600 });
}

export async function openTestSandbox(env: Record<string, string> = {}): Promise<TestSandbox> {
  const dataDir = mkdtempSync(join(tmpdir(), 'milaan-sandbox-'));
  keepBankKey(dataDir);
  const outside = await openTestWorld({ DATA_DIR: dataDir, ...env });
  outside.dns.addresses.set('shop.example.com', ['93.184.216.34']);
  const sandbox = await startSandbox(outside, () => {}, { shop: false, judgesItself: true });
  const app = newApp(sandbox.world);
  await orderRoutes(app, sandbox.world);
  await listeningRoutes(app, sandbox.world);
  const extra = sandbox.routes(app);
  checkoutRoutes(app, sandbox.world, {
    files: await buildBrowser(),
    isBlind: async () => false,
    claim: enterReference,
    extra,
  });
  await app.ready();
  await sandbox.welcome(null);
  const file = readSandboxFile(dataDir) as SandboxFile;
  const post: TestSandbox['post'] = (path, body) =>
    app.inject({
      method: 'POST',
      url: path,
      headers: { 'content-type': 'application/json' },
      payload: JSON.stringify(body),
    });
  return {
    outside,
    sandbox,
    app,
    file,
    post,
    async create(change = {}) {
      const answer = await app.inject({
        method: 'POST',
        url: '/api/v1/orders',
        headers: { 'x-api-key': file.api_key, 'content-type': 'application/json' },
        payload: JSON.stringify(orderBody(change)),
      });
      if (answer.statusCode !== 201) throw new Error(answer.body);
      return answer.json();
    },
    async order(orderId) {
      return (
        await app.inject({ url: `/api/v1/orders/${orderId}`, headers: { 'x-api-key': file.api_key } })
      ).json();
    },
    async pay(orderId, how) {
      const answer = await post(`/sandbox/orders/${orderId}/pay`, { how });
      if (answer.statusCode !== 200) throw new Error(answer.body);
      return answer.json();
    },
    mail: raw =>
      app.inject({
        method: 'POST',
        url: '/sandbox/mail',
        headers: { 'content-type': 'message/rfc822' },
        payload: raw,
      }),
    putDns: (name, value) =>
      app.inject({
        method: 'PUT',
        url: `/sandbox/dns/${name}`,
        headers: { 'content-type': 'text/plain' },
        payload: value,
      }),
    putAccount: account =>
      app.inject({
        method: 'PUT',
        url: '/sandbox/account',
        headers: { 'content-type': 'application/json' },
        payload: JSON.stringify(account),
      }),
    async stop() {
      await app.close();
      await sandbox.stop();
      await outside.stop();
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
}
