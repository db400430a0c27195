import { execFileSync, spawn } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { buildMedusa } from '../../scripts/build-medusa.ts';
import { connect } from '../../src/base/database/connect.ts';
import { freePort } from '../../src/base/free-port.ts';
import { buildSdk } from '../../src/developers/clients/build-sdk.ts';
import { packFiles } from '../../src/developers/clients/routes.ts';
import { waitFor } from '../../test/support/wait-for.ts';
import type { Milaan } from '../woo/milaan.ts';
import type { WebhookProxy } from './webhook-proxy.ts';

const version = '2.21.2';
const packages = ['medusa', 'cli', 'framework'].map(name => `@medusajs/${name}@${version}`);

/** Medusa with our provider as packages that npm installed. */
export type MedusaShop = {
  url: string;
  facts: { region: string; key: string; variant: string };
  /** A cart's order with its payment, as Medusa's own tables have them. */
  orderOf(cartId: string): Promise<MedusaOrder | null>;
  output(): string;
  stop(): Promise<void>;
};

export type MedusaOrder = {
  id: string;
  cart_id: string;
  status: string;
  amount: number;
  captured: number[];
  data: Record<string, unknown>;
};

/** Once: 714 MB in a folder of its own, outside the repository. */
export async function installMedusa(folder: string): Promise<void> {
  mkdirSync(folder, { recursive: true });
  const npm = (...args: string[]) =>
    execFileSync(
      'npm',
      ['install', '--no-audit', '--no-fund', '--no-progress', '--loglevel=error', ...args],
      {
        cwd: folder,
        stdio: ['ignore', 'ignore', 'inherit'],
      },
    );
  if (!existsSync(join(folder, 'package.json')))
    writeFileSync(join(folder, 'package.json'), '{ "name": "drill-shop", "private": true }');
  if (!existsSync(join(folder, 'node_modules/@medusajs/medusa'))) npm(...packages);
  const sdk = await buildSdk();
  for (const [name, files] of [
    ['milaan-sdk.tgz', sdk!],
    ['milaan-medusa.tgz', await buildMedusa()],
  ] as const) {
    writeFileSync(join(folder, name), await packFiles(files));
  }
  npm('--no-save', './milaan-sdk.tgz', './milaan-medusa.tgz');
}

/** The provider against Medusa's own types, which the package's tests do without. */
export function checkTypes(folder: string): void {
  const source = `import type { IPaymentProvider } from '@medusajs/types';
import { MilaanPaymentProvider } from '@milaan/medusa';
export const provider: IPaymentProvider = null as unknown as MilaanPaymentProvider;
`;
  writeFileSync(join(folder, 'check-types.mts'), source);
  const flags = ['--noEmit', '--strict', '--skipLibCheck', '--module', 'nodenext', '--target', 'es2022'];
  execFileSync(resolve('node_modules/.bin/tsc'), ['--ignoreConfig', ...flags, 'check-types.mts'], {
    cwd: folder,
    stdio: 'pipe',
  });
}

export async function openMedusa(
  folder: string,
  databaseUrl: string,
  milaan: Milaan,
  proxy: WebhookProxy,
): Promise<MedusaShop> {
  cpSync(join(import.meta.dirname, 'shop'), folder, { recursive: true });
  const port = await freePort();
  const factsFile = join(folder, 'facts.json');
  const env = {
    PATH: process.env['PATH'],
    HOME: folder,
    NODE_ENV: 'production',
    MEDUSA_DISABLE_TELEMETRY: 'true',
    DATABASE_URL: databaseUrl,
    MILAAN_URL: milaan.url,
    MILAAN_API_KEY: milaan.file.api_key,
    MILAAN_WEBHOOK_SECRET: milaan.file.webhook_secret,
    DRILL_WEBHOOK_URL: proxy.url,
    DRILL_FACTS: factsFile,
  };
  const medusa = (...args: string[]) =>
    execFileSync(join(folder, 'node_modules/.bin/medusa'), args, {
      cwd: folder,
      env,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'pipe'],
    });
  medusa('db:migrate');
  medusa('exec', './seed.js');
  const facts = JSON.parse(readFileSync(factsFile, 'utf8'));
  const sql = connect(databaseUrl, { most: 1 });
  let said = '';
  const server = spawn(join(folder, 'node_modules/.bin/medusa'), ['start', '--port', String(port)], {
    cwd: folder,
    env,
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  for (const stream of [server.stdout, server.stderr])
    stream.on('data', chunk => {
      said += chunk;
    });
  const url = `http://127.0.0.1:${port}`;
  await waitFor(
    'Medusa answers',
    () =>
      fetch(`${url}/health`).then(
        ({ ok }) => ok,
        () => false,
      ),
    180_000,
  ).catch(error => {
    throw new Error(`${error.message}\n${said}`);
  });
  proxy.leadTo(`${url}/hooks/payment/milaan_milaan`);
  return {
    url,
    facts,
    output: () => said,
    async orderOf(cartId) {
      const [row] = await sql<MedusaOrder[]>`
        select o.order_id as id, o.cart_id, c.status, p.amount::float8 as amount, p.data,
          (select array_agg(amount::float8) from capture where payment_id = p.id) as captured
        from order_cart o
        join order_payment_collection l on l.order_id = o.order_id
        join payment_collection c on c.id = l.payment_collection_id
        join payment p on p.payment_collection_id = c.id
        where o.cart_id = ${cartId}`;
      return row ?? null;
    },
    async stop() {
      await sql.end();
      if (server.pid !== undefined) process.kill(-server.pid, 'SIGTERM');
      await new Promise(resolve => server.once('exit', resolve));
    },
  };
}
