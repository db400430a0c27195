import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { connect, type Sql } from '../../src/base/database/connect.ts';
import { newSecretKey } from '../../src/base/secrets.ts';
import { readConfig } from '../../src/base/settings/config.ts';
import type { World } from '../../src/base/world.ts';
import { openWorld } from '../../src/operator/open-world.ts';
import { startDovecot } from '../../test/support/dovecot.ts';
import { runMilaan, type Said } from '../../test/support/run-milaan.ts';
import { startNames } from '../faults/names.ts';
import { type Processes, startProcesses } from '../faults/processes.ts';
import { startShop } from '../faults/shop.ts';
import { forward, type Merchant, mailDomain, openMerchant, password, type Stage } from '../faults/stage.ts';
import type { Stage as Drill } from '../play-drill.ts';
import { makeSynchronous } from '../standby/drill.ts';
import { type Line, openLine } from '../standby/line.ts';
import {
  debianPostgres,
  type Postgres,
  startAgain,
  startPrimary,
  startStandby,
} from '../standby/postgres.ts';
import { openOneAddress } from './one-address.ts';

const roles = ['web', 'web', 'web', 'mail', 'mail', 'deliver', 'deliver', 'receive'] as const;

/** A server behind an address that stays, whichever machine answers there. */
export type Server = { url: string; line: Line; now: Postgres; folder: string };

export type CellsStage = Pick<Stage, 'databases' | 'merchants' | 'shop' | 'processes' | 'env' | 'deliver'> & {
  servers: Server[];
  file: string;
  address: string;
  /** Runs a command as an operator does, with the file or, before it exists, with the first database. */
  milaan(...args: string[]): Promise<Said>;
  /** Opens the worlds that the file lists now. */
  inWorld<T>(work: (world: World) => Promise<T>): Promise<T>;
  openShop(name: string, cell: number): Promise<Merchant>;
  newServer(): Promise<Server>;
  startProcesses(): Promise<void>;
  setPassword(address: string): Promise<void>;
  mailbox: { port: number; ca: string };
};

export async function openStage({ folder, onEnd }: Drill): Promise<CellsStage> {
  const bin = debianPostgres() ?? '';
  const [names, dovecot] = [await startNames(), await startDovecot()];
  onEnd(() => Promise.all([names.stop(), dovecot.stop()]));
  const merchants: Merchant[] = [];
  const shop = await startShop(path => merchants.find(one => one.webhookUrl.endsWith(path))?.webhookSecret);
  onEnd(() => shop.stop());
  const [caFile, file] = [join(folder, 'ca.pem'), join(folder, 'cells.json')];
  writeFileSync(caFile, dovecot.ca);
  const common = {
    PUBLIC_URL: 'https://pay.example.in',
    SECRET_KEY: newSecretKey(),
    DNS_SERVERS: names.address,
    WEBHOOK_ALLOW: '127.0.0.1',
    IMAP_CA_FILE: caFile,
    BANKS_FILE: join(import.meta.dirname, '../../test/support/test-bank.json'),
    MAIL_DOMAIN: mailDomain,
    RATE_LIMITS: 'off',
    LOG_LEVEL: 'warn',
    DATABASE_POOL: '5',
  };
  const servers: Server[] = [];
  let processes: Processes | null = null;
  const isFileThere = () => {
    try {
      return readFileSync(file).length > 0;
    } catch {
      return false;
    }
  };
  const stage: CellsStage = {
    servers,
    file,
    merchants,
    shop,
    databases: [] as Sql[],
    address: '',
    mailbox: dovecot,
    setPassword: address => dovecot.setPassword(address, password),
    get env(): Record<string, string> {
      return { ...common, ...(isFileThere() ? { CELLS_FILE: file } : { DATABASE_URL: servers[0]!.url }) };
    },
    get processes() {
      return processes!;
    },
    milaan: (...args) => runMilaan(stage.env, ...args),
    async inWorld(work) {
      const read = readConfig([], { ...stage.env, LOG_LEVEL: 'silent' });
      if ('problems' in read) throw new Error(read.problems.join('; '));
      const { world, close } = await openWorld(read.config, {
        baseUrl: common.PUBLIC_URL,
        say: () => {},
        as: isFileThere() ? 'command' : 'program',
      });
      return await work(world).finally(close);
    },
    async openShop(name, cell) {
      const address = `${name}@test.example`;
      await stage.setPassword(address);
      const merchant = await stage.inWorld(world =>
        openMerchant(world.cells?.worlds[cell] ?? world, name, address, {
          imapPort: dovecot.port,
          shopPort: shop.port,
          ca: dovecot.ca,
        }),
      );
      merchants.push(merchant);
      return merchant;
    },
    async newServer() {
      const own = join(folder, `server-${servers.length}`);
      const now = await startPrimary(bin, own);
      const line = await openLine(now.port);
      const server = { url: now.url.replace(`:${now.port}/`, `:${line.port}/`), line, now, folder: own };
      onEnd(async () => {
        await server.now.stop();
        await line.stop();
      });
      servers.push(server);
      const sql = connect(server.url, { most: 2 });
      onEnd(() => sql.end({ timeout: 1 }));
      stage.databases.push(sql);
      return server;
    },
    async startProcesses() {
      processes = await startProcesses(folder, stage.env, roles);
      onEnd(() => Promise.all(processes!.all.map(one => one.stop())));
      const ports = processes.of('web').map(({ url }) => Number(new URL(url).port));
      const one = await openOneAddress(ports);
      onEnd(() => one.stop());
      stage.address = one.url;
    },
    async deliver(merchant, raw, into, way) {
      if (way !== 'forwarding') await dovecot.deliver(merchant.address, raw, into);
      if (way !== 'mailbox') await forward(stage.processes, merchant, raw);
    },
  };
  return stage;
}

/** Its standby takes over behind the same address, when the machine has lost its power. */
export async function failOver(server: Server, standby: Postgres): Promise<void> {
  server.line.point(null);
  await server.now.kill();
  standby.following?.point(null);
  await standby.run('select pg_promote(true, 60)');
  server.line.point(standby.port);
  server.now = standby;
}

export async function giveStandby(server: Server): Promise<Postgres> {
  const standby = await startStandby(debianPostgres() ?? '', `${server.folder}-standby`, server.now);
  await makeSynchronous(server.now);
  return standby;
}

/** Killed, and back from its own disk `down` milliseconds later. */
export async function crash(server: Server, whileDown: () => Promise<void>): Promise<void> {
  server.line.point(null);
  await server.now.kill();
  await whileDown();
  server.now = await startAgain(debianPostgres() ?? '', server.folder);
  server.line.point(server.now.port);
}
