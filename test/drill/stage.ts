import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readConfig } from '../../src/config.ts';
import { startEmbedded } from '../../src/database/embedded.ts';
import { connectMailbox } from '../../src/mailboxes/connect-mailbox.ts';
import { trustedRoots } from '../../src/mailboxes/open-connection.ts';
import { openWorld } from '../../src/open-world.ts';
import { newSecretKey } from '../../src/secrets.ts';
import { sayReason } from '../../src/texts/say.ts';
import { revealWebhookSecret } from '../../src/webhooks/reveal-webhook-secret.ts';
import type { World } from '../../src/world.ts';
import { startDovecot } from '../support/dovecot.ts';
import { type FaultProxy, startFaultProxy } from '../support/fault-proxy.ts';
import { addTestMerchant } from '../support/test-world.ts';
import { imapHost, type Names, shopHost, startNames } from './names.ts';
import { type Processes, startProcesses } from './processes.ts';
import { type Shop, startShop } from './shop.ts';

export type Business = {
  name: string;
  merchantId: number;
  apiKey: string;
  /** The mailbox that the bank writes to. */
  address: string;
  webhookUrl: string;
  webhookSecret: string;
};

/** Everything the drill needs, and all of it real. */
export type Stage = {
  folder: string;
  env: Record<string, string>;
  /** For looking, not part of what is tested: its clock is the true one. */
  world: World;
  businesses: Business[];
  names: Names;
  imap: FaultProxy;
  shop: Shop;
  processes: Processes;
  deliver(business: Business, raw: Buffer, folder: string): Promise<void>;
  /** `pg_ctl stop -m immediate`; the supervisor of the embedded database brings it back. */
  crashDatabase(): void;
  /** What the processes said stays on the disk when all is over. */
  keepsLogs: boolean;
  stop(): Promise<void>;
};

const businessNames = ['chai', 'books', 'saree', 'spice'];
const password = 'open sesame';

export async function openStage(): Promise<Stage> {
  const folder = mkdtempSync(join(tmpdir(), 'milaan-fault-drill-'));
  let stage: Stage | null = null;
  const closing: (() => Promise<unknown>)[] = [];
  const stop = async () => {
    for (const close of closing.splice(0).reverse()) await close();
    const gone = stage?.keepsLogs ? join(folder, 'data') : folder;
    rmSync(gone, { recursive: true, force: true });
  };
  const closed = <T extends { stop(): Promise<unknown> }>(part: T): T => {
    closing.push(() => part.stop());
    return part;
  };
  try {
    const database = closed(await startEmbedded(join(folder, 'data'), () => {}));
    const names = closed(await startNames());
    const dovecot = closed(await startDovecot());
    const imap = closed(await startFaultProxy(dovecot));
    const businesses: Business[] = [];
    const shop = closed(
      await startShop(path => businesses.find(one => one.webhookUrl.endsWith(path))?.webhookSecret),
    );
    const caFile = join(folder, 'ca.pem');
    writeFileSync(caFile, dovecot.ca);
    const env = {
      PUBLIC_URL: 'https://pay.example.in',
      DATABASE_URL: database.url,
      SECRET_KEY: newSecretKey(),
      DNS_SERVERS: names.address,
      WEBHOOK_ALLOW: '127.0.0.1',
      IMAP_CA_FILE: caFile,
      BANKS_FILE: join(import.meta.dirname, '../support/test-bank.json'),
      RATE_LIMITS: 'off',
      LOG_LEVEL: 'warn',
    };
    const read = readConfig([], { ...env, LOG_LEVEL: 'silent' });
    if ('problems' in read) throw new Error(read.problems.join('; '));
    const { world, close } = await openWorld(read.config, { baseUrl: env.PUBLIC_URL, say: () => {} });
    closing.push(close);
    for (const name of businessNames) {
      const address = `${name}@test.example`;
      await dovecot.setPassword(address, password);
      businesses.push(
        await openBusiness(world, name, address, {
          imapPort: imap.port,
          shopPort: shop.port,
          ca: dovecot.ca,
        }),
      );
    }
    const roles = ['web', 'web', 'mail', 'mail', 'deliver', 'deliver'] as const;
    const processes = await startProcesses(folder, env, roles);
    closing.push(() => Promise.all(processes.all.map(one => one.stop())));
    stage = {
      folder,
      env,
      world,
      businesses,
      names,
      imap,
      shop,
      processes,
      deliver: (business, raw, into) => dovecot.deliver(business.address, raw, into),
      crashDatabase() {
        const file = readFileSync(join(folder, 'data/postgres/postmaster.pid'), 'utf8');
        process.kill(Number(file.split('\n')[0]), 'SIGQUIT');
      },
      keepsLogs: false,
      stop,
    };
    return stage;
  } catch (error) {
    await stop();
    throw error;
  }
}

type Ports = { imapPort: number; shopPort: number; ca: string };

async function openBusiness(world: World, name: string, address: string, ports: Ports): Promise<Business> {
  const { merchantId, apiKey } = await addTestMerchant(world, { name, account: { bank: 'test' } });
  // Slips wait beside their orders, which an exact payment pays all the same.
  await world.sql`update merchants set hold_near_misses = true where merchant_id = ${merchantId}`;
  const connected = await connectMailbox(
    world,
    merchantId,
    {
      provider: 'other',
      address,
      host: imapHost,
      port: ports.imapPort,
      credential: { kind: 'password', password },
    },
    { roots: trustedRoots(ports.ca) },
  );
  if (!connected.ok) throw new Error(sayReason('en', connected.reason));
  const revealed = await revealWebhookSecret(world.sql, world, merchantId);
  const webhookUrl = `http://${shopHost}:${ports.shopPort}/${name}`;
  return { name, merchantId, apiKey, address, webhookUrl, webhookSecret: revealed!.secret };
}
