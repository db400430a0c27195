import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { freePort } from '../../src/base/free-port.ts';
import { waitFor } from '../../test/support/wait-for.ts';
import type { MariaDb } from './start-mariadb.ts';

export type ShopOptions = { name: string; hpos: boolean; theme: string; permalinks: string };

/** A WooCommerce with one product for each scene, served by PHP's own server with several workers. */
export type WooShop = ShopOptions & {
  url: string;
  folder: string;
  /** Runs one of site.php's commands inside WordPress. */
  run<T>(command: string, given?: unknown): T;
  /** Sets a flag file next to the shop, which the drill's must-use plugin reads. */
  flag(name: string, on: boolean): void;
  mails(): string;
  recorded(): string;
  /** PHP's complaints about our own files. */
  complaints(): string[];
  stop(): Promise<void>;
};

export const owner = { name: 'owner', password: 'a long enough password', email: 'owner@shop.example' };

export async function openShop(
  source: string,
  folder: string,
  database: MariaDb,
  options: ShopOptions,
): Promise<WooShop> {
  const [site, ownFolder] = [join(folder, options.name), join(folder, `${options.name}-aside`)];
  mkdirSync(ownFolder, { recursive: true });
  cpSync(source, site, { recursive: true });
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  database.run(`create database ${options.name}`);
  writeFileSync(join(site, 'wp-config.php'), configOf(options.name, database.socket, url, ownFolder));
  mkdirSync(join(site, 'wp-content/mu-plugins'), { recursive: true });
  cpSync(join(import.meta.dirname, 'must-use.php'), join(site, 'wp-content/mu-plugins/drill.php'));
  const php = ['-d', `sendmail_path=tee -a ${join(ownFolder, 'mails.txt')}`, '-d', 'memory_limit=512M'];
  const run = <T>(command: string, given: unknown = {}): T => {
    const script = join(import.meta.dirname, 'site.php');
    const said = execFileSync('php', [...php, script, site, command, JSON.stringify(given)], {
      encoding: 'utf8',
      maxBuffer: 64 * 1024 * 1024,
    });
    const [, answer] = said.split('\u0001');
    if (answer === undefined) throw new Error(`${command}: ${said}`);
    return JSON.parse(answer) as T;
  };
  run('install', { ...owner, url });
  run('set-up', options);
  const server = serve(site, port, php);
  const fileOf = (name: string) =>
    existsSync(join(ownFolder, name)) ? readFileSync(join(ownFolder, name), 'utf8') : '';
  await waitFor(
    'the shop answers',
    () =>
      fetch(url).then(
        ({ ok }) => ok,
        () => false,
      ),
    60_000,
  );
  return {
    ...options,
    url,
    folder: site,
    run,
    flag(name, on) {
      if (on) writeFileSync(join(ownFolder, name), '');
      else rmSync(join(ownFolder, name), { force: true });
    },
    mails: () => fileOf('mails.txt'),
    recorded: () => fileOf('recorded.jsonl'),
    complaints: () =>
      fileOf('debug.log')
        .split('\n')
        .filter(line => line.includes('milaan-upi')),
    async stop() {
      if (server.pid !== undefined) process.kill(-server.pid, 'SIGTERM');
      await new Promise(resolve => server.once('exit', resolve));
    },
  };
}

/** Several workers: the shop is asked by the customer's browser, by Milaan and by itself at once. */
function serve(site: string, port: number, php: string[]): ChildProcess {
  return spawn(
    'php',
    [...php, '-S', `127.0.0.1:${port}`, '-t', site, join(import.meta.dirname, 'router.php')],
    {
      // A group of its own: its workers end with it.
      detached: true,
      stdio: 'ignore',
      env: { ...process.env, PHP_CLI_SERVER_WORKERS: '4' },
    },
  );
}

function configOf(name: string, socket: string, url: string, ownFolder: string): string {
  const constants: Record<string, string | boolean> = {
    DB_NAME: name,
    DB_USER: 'root',
    DB_PASSWORD: '',
    DB_HOST: `localhost:${socket}`,
    DB_CHARSET: 'utf8mb4',
    WP_HOME: url,
    WP_SITEURL: url,
    WP_HTTP_BLOCK_EXTERNAL: true,
    DISABLE_WP_CRON: true,
    AUTOMATIC_UPDATER_DISABLED: true,
    FS_METHOD: 'direct',
    WP_DEBUG: true,
    WP_DEBUG_DISPLAY: false,
    WP_DEBUG_LOG: join(ownFolder, 'debug.log'),
    DRILL_ASIDE: ownFolder,
    AUTH_KEY: 'drill',
    SECURE_AUTH_KEY: 'drill',
    LOGGED_IN_KEY: 'drill',
    NONCE_KEY: 'drill',
  };
  const lines = Object.entries(constants).map(
    ([key, value]) => `define('${key}', ${typeof value === 'string' ? `'${value}'` : value});`,
  );
  return `<?php\n${lines.join('\n')}\n$table_prefix = 'wp_';\ndefined('ABSPATH') || define('ABSPATH', __DIR__ . '/');\nrequire_once ABSPATH . 'wp-settings.php';\n`;
}
