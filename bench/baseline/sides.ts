import { type ChildProcess, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { openForwarding } from '../../src/alerts/forwarding/open-forwarding.ts';
import { systemClock } from '../../src/base/clock.ts';
import { freePort } from '../../src/base/free-port.ts';
import { secretBox } from '../../src/base/secrets.ts';
import { openTestDatabase } from '../../test/support/test-database.ts';
import { addTestMerchant, openTestWorld } from '../../test/support/test-world.ts';
import { startLive } from '../mail/start-live.ts';
import type { AtEnd } from '../mail/with-endings.ts';
import { serverPid } from '../processor.ts';

/** A shop's key, and the address to which its bank mails are forwarded. */
export type Shop = { apiKey: string; forwardTo: string };

/** One program with its own PostgreSQL. */
export type Side = {
  name: 'Milaan' | 'baseline';
  shops: Shop[];
  smtpPort: number;
  /** The database's first process. */
  database: number;
  start(): Promise<Running>;
};
export type Running = { url: string; pid: number; stop(): Promise<void>; kill(): Promise<void> };

const mailDomain = 'alerts.example.in';
const roles = ['web', 'mail', 'deliver', 'receive'];
/** More than one, because a shop may hand over only so many mails at once. */
const shopsOfProduct = 20;
/** Requests per minute. The limits are checked but never reached. */
const rateLimits = 'key=100000000,address=100000000';

export async function openProduct(dns: string, atEnd: AtEnd): Promise<Side> {
  const secretKey = randomBytes(32);
  const world = await openTestWorld({ MAIL_DOMAIN: mailDomain }, { ownServer: true });
  atEnd(() => world.stop());
  Object.assign(world, { clock: systemClock, secrets: secretBox([secretKey]) });
  const shops: Shop[] = [];
  for (let number = 0; number < shopsOfProduct; number++) {
    const { merchantId, apiKey } = await addTestMerchant(world, { name: `Shop ${number}` });
    const opening = { merchantId, mailDomain, now: world.clock.now() };
    shops.push({ apiKey, forwardTo: (await world.sql.begin(tx => openForwarding(tx, opening)))! });
  }
  const smtpPort = await freePort();
  const env = {
    MAIL_DOMAIN: mailDomain,
    DNS_SERVERS: dns,
    RECEIVE_PORT: `127.0.0.1:${smtpPort}`,
    RATE_LIMITS: rateLimits,
  };
  return {
    name: 'Milaan',
    shops,
    smtpPort,
    database: await serverPid(world.sql),
    async start() {
      const program = await startLive(roles, world.databaseUrl, secretKey, env);
      return running(program.child, program.url, atEnd);
    },
  };
}

export async function openBaseline(dns: string, atEnd: AtEnd): Promise<Side> {
  const { url, sql, stop } = await openTestDatabase({ ownServer: true });
  atEnd(stop);
  const apiKey = randomBytes(20).toString('hex');
  // The template has Milaan's tables.
  await sql.unsafe('drop schema public cascade; create schema public');
  const smtpPort = await freePort();
  const env = {
    PATH: process.env['PATH'],
    NODE_ENV: 'production',
    DATABASE_URL: url,
    DNS_SERVERS: dns,
    API_KEY: apiKey,
    SMTP_PORT: String(smtpPort),
    WEBHOOK_SECRET: randomBytes(24).toString('base64'),
  };
  return {
    name: 'baseline',
    shops: [{ apiKey, forwardTo: `alerts@${mailDomain}` }],
    smtpPort,
    database: await serverPid(sql),
    async start() {
      const file = new URL('./server-process.ts', import.meta.url).pathname;
      const child = spawn(process.execPath, ['--max-semi-space-size=16', file], {
        env,
        stdio: ['ignore', 'pipe', 'inherit'],
      });
      for await (const line of createInterface({ input: child.stdout })) {
        const address = /listening on (\S+)/.exec(line)?.[1];
        if (address) return running(child, address, atEnd);
      }
      throw new Error('the baseline did not start');
    },
  };
}

function running(child: ChildProcess, url: string, atEnd: AtEnd): Running {
  const end = async (signal: 'SIGTERM' | 'SIGKILL') => {
    if (child.exitCode !== null || child.signalCode !== null) return;
    const gone = once(child, 'exit');
    child.kill(signal);
    await gone;
  };
  atEnd(() => end('SIGKILL'));
  return { url, pid: child.pid!, stop: () => end('SIGTERM'), kill: () => end('SIGKILL') };
}
