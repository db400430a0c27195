import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { openForwarding } from '../../src/alerts/forwarding/open-forwarding.ts';
import { connectMailbox } from '../../src/alerts/mailboxes/connect-mailbox.ts';
import { trustedRoots } from '../../src/alerts/mailboxes/open-connection.ts';
import type { Sql } from '../../src/base/database/connect.ts';
import { startEmbedded } from '../../src/base/database/embedded.ts';
import { newSecretKey } from '../../src/base/secrets.ts';
import { type Role, readConfig } from '../../src/base/settings/config.ts';
import type { World } from '../../src/base/world.ts';
import { openWorld } from '../../src/operator/open-world.ts';
import { revealWebhookSecret } from '../../src/outbox/webhooks/reveal-webhook-secret.ts';
import { sayReason } from '../../src/texts/say.ts';
import { type Dovecot, startDovecot } from '../../test/support/dovecot.ts';
import { type FaultProxy, startFaultProxy } from '../../test/support/fault-proxy.ts';
import { handMail } from '../../test/support/mail-provider.ts';
import { addTestMerchant } from '../../test/support/test-world.ts';
import { imapHost, type Names, shopHost, startNames } from './names.ts';
import { type Processes, startProcesses } from './processes.ts';
import { type Shop, startShop } from './shop.ts';

export type Merchant = {
  name: string;
  merchantId: number;
  apiKey: string;
  /** The mailbox that the bank writes to. */
  address: string;
  /** Its mail provider forwards mails to this address. */
  forwardTo: string;
  webhookUrl: string;
  webhookSecret: string;
};

/** Everything the drill needs, and all of it real. */
export type Stage = {
  folder: string;
  env: Record<string, string>;
  /** For looking, not part of what is tested: its clock is the true one. */
  world: World;
  /** All that hold orders. */
  databases: Sql[];
  merchants: Merchant[];
  names: Names;
  imap: FaultProxy;
  dovecot: Dovecot;
  shop: Shop;
  processes: Processes;
  deliver(merchant: Merchant, raw: Buffer, folder: string, way: Way): Promise<void>;
  /** `pg_ctl stop -m immediate`; the supervisor of the embedded database brings it back. */
  crashDatabase(): void;
  /** The processes' logs stay on the disk afterwards. */
  keepsLogs: boolean;
  stop(): Promise<void>;
};

/** The settings in which other drills differ. */
type Staging = {
  merchants: readonly string[];
  roles: readonly Role[];
  env: Record<string, string>;
  clocks: boolean;
  isUnwell: (orderId: string) => boolean;
};

/** How a mail comes to us: put into the mailbox, forwarded by its provider, or both. */
type Way = 'mailbox' | 'forwarding' | 'both';

export const mailDomain = 'alerts.test.example';
const usual: Staging = {
  merchants: ['chai', 'books', 'saree', 'spice'],
  roles: ['web', 'web', 'mail', 'mail', 'deliver', 'deliver', 'receive', 'receive'],
  env: {},
  clocks: true,
  isUnwell: () => false,
};
export const password = 'open sesame';

export async function openStage(staging: Partial<Staging> = {}): Promise<Stage> {
  const { merchants: merchantNames, roles, env: more, clocks, isUnwell } = { ...usual, ...staging };
  const folder = mkdtempSync(join(tmpdir(), 'milaan-fault-drill-'));
  // For root the database runs as another user, who has to pass.
  chmodSync(folder, 0o711);
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
    const merchants: Merchant[] = [];
    const shop = closed(
      await startShop(path => merchants.find(one => one.webhookUrl.endsWith(path))?.webhookSecret, isUnwell),
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
      BANKS_FILE: join(import.meta.dirname, '../../test/support/test-bank.json'),
      MAIL_DOMAIN: mailDomain,
      RATE_LIMITS: 'off',
      LOG_LEVEL: 'warn',
      ...more,
    };
    const read = readConfig([], { ...env, LOG_LEVEL: 'silent' });
    if ('problems' in read) throw new Error(read.problems.join('; '));
    const { world, close } = await openWorld(read.config, { baseUrl: env.PUBLIC_URL, say: () => {} });
    closing.push(close);
    for (const name of merchantNames) {
      const address = `${name}@test.example`;
      await dovecot.setPassword(address, password);
      merchants.push(
        await openMerchant(world, name, address, {
          imapPort: imap.port,
          shopPort: shop.port,
          ca: dovecot.ca,
        }),
      );
    }
    const processes = await startProcesses(folder, env, roles, { clocks });
    closing.push(() => Promise.all(processes.all.map(one => one.stop())));
    stage = {
      folder,
      env,
      world,
      databases: [world.sql],
      merchants,
      names,
      imap,
      dovecot,
      shop,
      processes,
      async deliver(merchant, raw, into, way) {
        if (way !== 'forwarding') await dovecot.deliver(merchant.address, raw, into);
        if (way !== 'mailbox') await forward(processes, merchant, raw);
      },
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

export async function openMerchant(
  world: World,
  name: string,
  address: string,
  ports: Ports,
): Promise<Merchant> {
  const { merchantId, apiKey } = await addTestMerchant(world, { name, account: { bank: 'test' } });
  // Near misses wait, and an exact payment can still pay their orders.
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
  const opening = { merchantId, mailDomain, now: world.clock.now() };
  const forwardTo = await world.sql.begin(tx => openForwarding(tx, opening));
  return {
    name,
    merchantId,
    apiKey,
    address,
    forwardTo: forwardTo!,
    webhookUrl,
    webhookSecret: revealed!.secret,
  };
}

/** Delivers like a mail provider: a mail without a 250 answer is sent again, to any process that answers. */
export async function forward(processes: Processes, { forwardTo }: Merchant, raw: Buffer): Promise<void> {
  const takers = processes.of('receive');
  for (let tries = 0; ; tries++) {
    const { code, text } = await handMail(takers[tries % takers.length]!.smtpPort, { to: forwardTo, raw });
    if (code === 250) return;
    if (code >= 500) throw new Error(`a forwarded mail was refused for good: ${text}`);
    await sleep(forwardAgainAfter);
  }
}

const forwardAgainAfter = 500;
