import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { after, afterEach, before, describe, test } from 'node:test';
import { freePort } from '../../../src/base/free-port.ts';
import { secretBox } from '../../../src/base/secrets.ts';
import { findBreaches } from '../../../src/operator/verify.ts';
import { orderBody } from '../../support/api.ts';
import { type DnsServer, startDnsServer } from '../../support/dns-server.ts';
import { addForwardingShop, creditTo } from '../../support/forwarding-stage.ts';
import { bankZone } from '../../support/genuine-alert.ts';
import { handMail } from '../../support/mail-provider.ts';
import { newDataDir, type Program, removeDataDir, startReady } from '../../support/program.ts';
import { openMailWorld } from '../../support/test-mailbox.ts';
import type { TestWorld } from '../../support/test-world.ts';
import { waitFor } from '../../support/wait-for.ts';

const secretKey = randomBytes(32);
const records: Record<string, string> = bankZone();

describe('a program killed while it judges a mail that it stored', () => {
  let world: TestWorld;
  let dns: DnsServer;
  let dnsIsSilent = false;
  /** Runs next to each process that is killed. */
  let survivor: Program;
  const programs: Program[] = [];
  before(async () => {
    world = await openMailWorld({ MAIL_DOMAIN: 'alerts.example.in' });
    Object.assign(world, { secrets: secretBox([secretKey]) });
    dns = await startDnsServer(({ name }) => {
      const record = records[name];
      if (dnsIsSilent) return 'silence';
      return record ? [{ name, type: 'TXT', ttl: 60, data: record.match(/.{1,255}/g)! }] : 'nxdomain';
    });
    survivor = await start(['web', 'mail']);
  });
  const end = async (ending: Program[]) => {
    for (const program of ending) {
      program.child.kill('SIGKILL');
      await program.ended;
      removeDataDir(program.dataDir);
    }
  };
  afterEach(() => end(programs.splice(1)));
  after(async () => {
    await end(programs);
    await dns.stop();
    await world.stop();
  });

  test('killed after the insert and during judging: another judge continues after the lease', async () => {
    dnsIsSilent = true;
    const { alert, victim } = await handOver();
    await waitFor('the alert', async () => (await alert())?.claim);
    await kill(victim);
    assert.equal((await alert())?.verdict, 'unjudged');
    dnsIsSilent = false;
    await isPaidOnce(alert);
  });

  test('killed between judgement and verdict: nothing is stored, and another judge reaches the same verdict', async () => {
    const locked = Promise.withResolvers<void>();
    const released = Promise.withResolvers<void>();
    let blocking: Promise<void> | undefined;
    const { alert, victim } = await handOver(async orderId => {
      blocking = world.sql.begin(async tx => {
        await tx`select from orders where order_id = ${orderId} for update`;
        locked.resolve();
        await released.promise;
      });
      await locked.promise;
    });
    await waitFor('matching to wait for the order', async () => {
      const rows = await world.sql`
        select from pg_stat_activity
        where wait_event_type = 'Lock' and application_name like '% mail receive' and datname = current_database()`;
      return rows.length > 0;
    });
    await kill(victim);
    released.resolve();
    await blocking;
    await isPaidOnce(alert);
  });

  test('killed after the verdict: the order is paid once', async () => {
    const { alert, victim } = await handOver();
    await waitFor('the verdict', async () => (await alert())?.verdict === 'paid');
    await kill(victim);
    await isPaidOnce(alert);
  });

  async function start(roles: readonly string[], env: Record<string, string> = {}): Promise<Program> {
    const program = await startReady(newDataDir(), {
      args: [...roles],
      env: {
        PUBLIC_URL: 'https://pay.example.in',
        DATABASE_URL: world.databaseUrl,
        SECRET_KEY: secretKey.toString('hex'),
        HOST: '127.0.0.1',
        RATE_LIMITS: 'off',
        DNS_SERVERS: dns.address,
        MAIL_DOMAIN: 'alerts.example.in',
        BANKS_FILE: join(import.meta.dirname, '../../support/test-bank.json'),
        ...env,
      },
    });
    programs.push(program);
    return program;
  }

  /** An order, and its mail in a program that is judging it while another program runs. */
  async function handOver(first: (orderId: string) => Promise<void> = async () => {}) {
    const smtpPort = await freePort();
    const victim = await start(['mail', 'receive'], {
      RECEIVE_PORT: `127.0.0.1:${smtpPort}`,
    });
    const { merchantId, apiKey, forwardTo } = await addForwardingShop(world);
    const created = await fetch(`${survivor.url}/api/v1/orders`, {
      method: 'POST',
      headers: { 'x-api-key': apiKey, 'content-type': 'application/json' },
      body: JSON.stringify(orderBody()),
    });
    const order = (await created.json()) as { order_id: string; payable_amount: number };
    await first(order.order_id);
    const raw = creditTo(forwardTo, { amount: order.payable_amount.toFixed(2) });
    assert.equal((await handMail(smtpPort, { to: forwardTo, raw })).code, 250);
    const alert = async () => {
      const rows = await world.sql<{ verdict: string; claim: string | null; order_id: string | null }[]>`
        select verdict, claim, order_id from alerts where merchant_id = ${merchantId}`;
      assert.ok(rows.length <= 1);
      return rows[0];
    };
    return { alert, victim };
  }

  async function kill(victim: Program): Promise<void> {
    victim.child.kill('SIGKILL');
    await victim.ended;
  }

  async function isPaidOnce(alert: () => Promise<{ verdict: string; order_id: string | null } | undefined>) {
    const paid = await waitFor('the payment', async () => {
      const found = await alert();
      return found?.verdict === 'paid' ? found : null;
    });
    const events = await world.sql`
      select from events where order_id = ${paid.order_id} and type = 'payment.paid'`;
    assert.equal(events.length, 1);
    assert.deepEqual(await findBreaches(world), []);
  }
});
