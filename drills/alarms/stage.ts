import { writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { openBankBook } from '../../src/alerts/book/open-bank-book.ts';
import { connectMailbox } from '../../src/alerts/mailboxes/connect-mailbox.ts';
import { trustedRoots } from '../../src/alerts/mailboxes/open-connection.ts';
import { systemClock } from '../../src/base/clock.ts';
import { freePort } from '../../src/base/free-port.ts';
import { openLog } from '../../src/base/log.ts';
import { openMetrics } from '../../src/base/metrics.ts';
import { openDns } from '../../src/base/network/dns.ts';
import { newSecretKey, secretBox } from '../../src/base/secrets.ts';
import type { World } from '../../src/base/world.ts';
import { findAlarms } from '../../src/dashboard/operator/find-alarms.ts';
import { startDovecot } from '../../test/support/dovecot.ts';
import { startFaultProxy } from '../../test/support/fault-proxy.ts';
import { liveConfig } from '../../test/support/live-config.ts';
import { createPatiently } from '../../test/support/live-shop.ts';
import { type Program, startReady } from '../../test/support/program.ts';
import { openTestDatabase } from '../../test/support/test-database.ts';
import { addTestMerchant } from '../../test/support/test-world.ts';
import { waitFor } from '../../test/support/wait-for.ts';
import { startReceiver } from '../../test/support/webhook-receiver.ts';
import type { Stage } from '../play-drill.ts';
import { mailbox, openBank } from './bank.ts';
import { fires } from './fires.ts';
import { type Scrape, scrape } from './scrape.ts';

const token = 'figures-please';
const longest = 240_000;

/** A live installation with a shop, its mailbox, its bank and a receiver, and one program that runs all roles. */
export async function openStage({ folder, onEnd, see }: Stage) {
  const database = await openTestDatabase();
  onEnd(() => database.stop());
  const dovecot = await startDovecot();
  let isDovecotGone = false;
  const endDovecot = async () => {
    if (!isDovecotGone) await dovecot.stop();
    isDovecotGone = true;
  };
  onEnd(endDovecot);
  const bank = await openBank(dovecot);
  onEnd(() => bank.dns.stop());
  const answer = { status: 200 };
  const receiver = await startReceiver(response => void response.writeHead(answer.status).end());
  onEnd(() => receiver.stop());
  writeFileSync(join(folder, 'ca.pem'), dovecot.ca);
  await database.sql`insert into plans (plan, history_days) values ('short', 7)`;
  const secretKey = newSecretKey();
  const env = {
    PUBLIC_URL: 'https://pay.example.in',
    DATABASE_URL: database.url,
    SECRET_KEY: secretKey,
    DNS_SERVERS: bank.dns.address,
    IMAP_CA_FILE: join(folder, 'ca.pem'),
    BANKS_FILE: resolve('test/support/test-bank.json'),
    WEBHOOK_ALLOW: '127.0.0.1',
    HOST: '127.0.0.1',
    METRICS_TOKEN: token,
    RATE_LIMITS: 'off',
    LOG_LEVEL: 'silent',
    // Nobody listens there: mails to owners fail.
    SMTP_URL: 'smtp://127.0.0.1:1',
    MAIL_FROM: 'pay@example.in',
    MAIL_DOMAIN: 'alerts.example.in',
    PUSH_KEY: newSecretKey(),
    RECEIVE_PORT: `127.0.0.1:${await freePort()}`,
  };
  const world = {
    config: liveConfig({ WEBHOOK_ALLOW: '127.0.0.1', LOG_LEVEL: 'silent' }),
    baseUrl: env.PUBLIC_URL,
    sql: database.sql,
    clock: systemClock,
    dns: openDns([bank.dns.address]),
    log: openLog('silent'),
    metrics: openMetrics(),
    secrets: secretBox([Buffer.from(secretKey, 'base64')]),
    banks: openBankBook(() => []),
  };
  const { merchantId, apiKey } = await addTestMerchant(world, { account: { bank: 'test' } });
  await dovecot.setPassword(mailbox, 'sesame');
  const way = await startFaultProxy(dovecot);
  onEnd(() => way.stop());
  const place = { provider: 'other' as const, address: mailbox, host: dovecot.host, port: way.port };
  const credential = { kind: 'password' as const, password: 'sesame' };
  await connectMailbox(world, merchantId, { ...place, credential }, { roots: trustedRoots(dovecot.ca) });

  const running: { program: Program } = { program: await startReady(folder, { env }) };
  const end = async (how: NodeJS.Signals) => {
    running.program.child.kill(how);
    await running.program.ended;
  };
  onEnd(() => end('SIGTERM'));
  const restart = async (options: { env?: Record<string, string>; args?: string[] } = {}) => {
    running.program = await startReady(folder, { ...options, env: { ...env, ...options.env } });
  };
  const now = () => scrape(running.program.url, token);
  const order = async (amount: number) =>
    (await createPatiently(running.program.url, apiKey, { amount, webhook_url: receiver.url })).order;
  const fired = new Set<string>();
  /** Polls the metrics until Prometheus's alarm fires, and the operator's screen until it shows the same. */
  const rings = async (
    alarm: string,
    broken: string,
    calm: Scrape,
    look = now,
    on: Pick<World, 'sql' | 'cell'> = world,
  ) => {
    const isShown = async () => (await findAlarms(on, systemClock.now())).some(({ name }) => name === alarm);
    let why: string | null = '';
    await waitFor(
      alarm,
      async () => {
        why = fires(folder, alarm, calm, await look(), on.cell);
        if (why !== null) await sleep(2_000);
        return why === null;
      },
      longest,
    ).catch(() => {});
    if (why === null) fired.add(alarm);
    see(`${alarm} rings: ${broken}`, why === null, why ?? '');
    // A screen needs a database that can be written.
    if (alarm === 'MilaanNotReady') return;
    const until = performance.now() + longest;
    let shown = await isShown();
    while (!shown && performance.now() < until) {
      await sleep(1_000);
      shown = await isShown();
    }
    see(`${alarm} is on the operator’s screen`, shown);
  };
  return {
    ...{ database, dovecot, endDovecot, bank, answer, receiver, env, merchantId, way },
    ...{ running, end, restart, now, order, fired, rings },
    pay: async (amount: number) => {
      const { payable_amount: rupees } = await order(amount);
      await bank.writes(rupees);
    },
    retried: () =>
      waitFor(
        'a delivery that will be tried again',
        async () =>
          (await database.sql`select from deliveries where state = 'waiting' and attempt > 1`).length > 0,
        longest,
      ),
  };
}

export type Rings = Awaited<ReturnType<typeof openStage>>['rings'];
