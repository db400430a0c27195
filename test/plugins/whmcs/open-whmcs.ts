import { spawn } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { whmcsFiles } from '../../../scripts/whmcs-files.ts';
import { freePort } from '../../../src/base/free-port.ts';
import { until } from '../../support/until.ts';

type Invoice = {
  userid: number;
  total: number;
  status: string;
  transactions: { transid: string; amountin: number; gateway: string }[];
};

/** The harness's state: see init.php. */
type Books = {
  gateway: Record<string, string>;
  invoices: Record<string, Invoice>;
  clients: Record<string, Record<string, unknown>>;
  log: { status: string; data: unknown }[];
  mails: { custommessage: string }[];
  /** WHMCS takes no payment. */
  fails: boolean;
  /** A request that adds a payment waits for another one that does: see invoicefunctions.php. */
  meets: boolean;
  adding: number;
};

export type Whmcs = {
  url: string;
  folder: string;
  books(): Books;
  change(work: (books: Books) => void): void;
  said(): string;
  stop(): void;
};

/** The packed module inside what its documentation says WHMCS is, behind PHP's own server with four processes. */
export async function openWhmcs(settings: Record<string, string>): Promise<Whmcs> {
  const folder = mkdtempSync(join(tmpdir(), 'milaan-whmcs-'));
  const root = join(folder, 'public');
  for (const [path, content] of whmcsFiles().files) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), content);
  }
  cpSync('test/plugins/whmcs', root, { recursive: true, filter: path => !path.endsWith('.ts') });
  const port = await freePort('127.0.0.1');
  const url = `http://127.0.0.1:${port}/`;
  const file = join(folder, 'books.json');
  const books = (): Books => JSON.parse(readFileSync(file, 'utf8'));
  const write = (kept: Books) => writeFileSync(file, JSON.stringify(kept));
  write({
    gateway: { type: 'Invoices', name: 'UPI (Milaan)', paymentmethod: 'milaan', systemurl: url, ...settings },
    invoices: {},
    clients: {
      1: { email: 'asha@customer.example', fullname: 'Asha Rao', currency_code: 'INR' },
      2: { email: 'no mail', fullname: '', currency_code: 'USD' },
    },
    log: [],
    mails: [],
    fails: false,
    meets: false,
    adding: 0,
  });
  const flags = ['-d', 'display_errors=stderr', '-d', 'error_reporting=-1'];
  // A group of its own: the server's four processes end with it.
  const child = spawn('php', [...flags, '-S', `127.0.0.1:${port}`, '-t', root], {
    env: { PATH: process.env['PATH'], WHMCS_BOOKS: file, PHP_CLI_SERVER_WORKERS: '4' },
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let said = '';
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk: Buffer) => {
      said += chunk;
    });
  await until('PHP listens', () => fetch(url).then(Boolean, () => false));
  return {
    url,
    folder: root,
    books,
    change(work) {
      const kept = books();
      work(kept);
      write(kept);
    },
    said: () => said,
    stop() {
      if (child.pid !== undefined) process.kill(-child.pid, 'SIGKILL');
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
