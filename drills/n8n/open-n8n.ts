import { execFileSync, spawn } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { connect } from '../../src/base/database/connect.ts';
import { freePort } from '../../src/base/free-port.ts';
import { startTestServer } from '../../test/support/test-database.ts';
import { waitFor } from '../../test/support/wait-for.ts';
import type { Stage } from '../play-drill.ts';
import type { Milaan } from '../woo/milaan.ts';
import { milaanCredentials, shop, workflowId } from './workflows.ts';

export type N8n = { url: string; said(): string };

/** A real n8n with our package as npm installed it, its own empty home, and the drill's workflow published. */
export async function openN8n(
  stage: Stage,
  installation: string,
  packed: string,
  milaan: Milaan,
  hearsUrl: string,
): Promise<N8n> {
  const home = join(stage.folder, 'n8n-home');
  const nodes = join(home, '.n8n/nodes');
  mkdirSync(nodes, { recursive: true });
  writeFileSync(join(nodes, 'package.json'), '{ "name": "installed-nodes", "private": true }');
  // n8n-workflow is a peer that n8n itself brings.
  const quiet = ['--no-audit', '--no-fund', '--legacy-peer-deps', '--loglevel=error'];
  execFileSync('npm', ['install', ...quiet, packed], { cwd: nodes, stdio: ['ignore', 'ignore', 'inherit'] });
  const database = await newDatabase(stage);
  const port = await freePort('127.0.0.1');
  const url = `http://127.0.0.1:${port}`;
  const env = {
    PATH: process.env['PATH'],
    HOME: home,
    N8N_USER_FOLDER: home,
    // PostgreSQL, because n8n's SQLite is a program that has to be compiled for the machine.
    DB_TYPE: 'postgresdb',
    DB_POSTGRESDB_HOST: database.hostname,
    DB_POSTGRESDB_PORT: database.port,
    DB_POSTGRESDB_DATABASE: database.pathname.slice(1),
    DB_POSTGRESDB_USER: decodeURIComponent(database.username),
    DB_POSTGRESDB_PASSWORD: decodeURIComponent(database.password),
    N8N_PORT: String(port),
    N8N_LISTEN_ADDRESS: '127.0.0.1',
    WEBHOOK_URL: `${url}/`,
    N8N_ENCRYPTION_KEY: 'of this drill alone',
    N8N_DIAGNOSTICS_ENABLED: 'false',
    N8N_VERSION_NOTIFICATIONS_ENABLED: 'false',
    N8N_TEMPLATES_ENABLED: 'false',
    N8N_RUNNERS_BROKER_PORT: String(await freePort('127.0.0.1')),
  };
  const command = join(installation, 'node_modules/n8n/bin/n8n');
  const n8n = (...args: string[]) =>
    execFileSync(process.execPath, [command, ...args], {
      env,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'pipe'],
    });
  const give = (kind: string, what: unknown) => {
    const file = join(stage.folder, `${kind}.json`);
    writeFileSync(file, JSON.stringify(what));
    n8n(`import:${kind}`, `--input=${file}`);
  };
  const { api_key, webhook_secret } = milaan.file;
  const data = { baseUrl: milaan.url, apiKey: api_key, webhookSecret: webhook_secret };
  give('credentials', milaanCredentials(data));
  give('workflow', [shop(url, hearsUrl)]);
  n8n('publish:workflow', `--id=${workflowId}`);
  const child = spawn(process.execPath, [command, 'start'], { env, stdio: ['ignore', 'pipe', 'pipe'] });
  let said = '';
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', chunk => {
      said += chunk;
    });
  const ended = new Promise(resolve => child.once('exit', resolve));
  stage.onEnd(async () => {
    child.kill();
    await ended;
  });
  // Workflows are listened for once n8n has begun, which it says last.
  const ready = () => said.includes('Editor is now accessible');
  await waitFor('n8n has begun', ready, 300_000).catch(error => {
    throw new Error(`${error.message}\n${said}`);
  });
  return { url, said: () => said };
}

async function newDatabase(stage: Stage): Promise<URL> {
  const server = await startTestServer();
  stage.onEnd(() => server.stop());
  const sql = connect(server.url, { most: 1 });
  await sql.unsafe('create database n8n');
  await sql.end();
  const address = new URL(server.url);
  address.pathname = '/n8n';
  return address;
}
