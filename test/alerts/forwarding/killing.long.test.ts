import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { afterEach, describe, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { createTransport } from 'nodemailer';
import type { ReceiveStep } from '../../../src/alerts/forwarding/receive-mail.ts';
import {
  addForwardingShop,
  alertsOf,
  creditTo,
  openForwardingStage,
} from '../../support/forwarding-stage.ts';
import { handMail } from '../../support/mail-provider.ts';
import { use } from '../../support/use.ts';
import { waitFor } from '../../support/wait-for.ts';
import type { ChildOrders } from './receiver-child.ts';

const steps: ReceiveStep[] = ['recipient known', 'mail received', 'stored, not committed', 'committed'];
const MiB = 1024 * 1024;

describe('a process that takes mail', () => {
  const children = new Set<ChildProcess>();
  const stage = use(openForwardingStage);
  afterEach(() => {
    for (const child of children) child.kill('SIGKILL');
    children.clear();
  });

  for (const step of steps) {
    test(`a process that dies at "${step}" loses and doubles no mail: the sender got no 250 and sends again`, async () => {
      const { merchantId, forwardTo } = await addForwardingShop(stage.world);
      const raw = creditTo(forwardTo);
      const child = await startChild(step);
      // For one business it is one statement, and there is nothing between it and its commit.
      const other =
        step === 'stored, not committed' ? [(await addForwardingShop(stage.world)).forwardTo] : [];
      const handed = handMail(child.port, { to: [forwardTo, ...other], raw });
      await child.said('standing still');
      await child.kill();
      assert.notEqual((await handed).code, 250);
      assert.equal((await alertsOf(stage.world, merchantId)).length, step === 'committed' ? 1 : 0);
      assert.equal((await handMail(stage.port, { to: forwardTo, raw })).code, 250);
      assert.equal((await alertsOf(stage.world, merchantId)).length, 1);
    });
  }

  test('a process stores two thousand mails from many connections in bounded memory', async () => {
    // One business alone may hold only its share of the bytes that are being judged.
    const shops = await Promise.all([1, 2, 3, 4].map(() => addForwardingShop(stage.world)));
    const child = await startChild(null);
    const filling = 'x'.repeat(998);
    const large = Buffer.from(
      `From: alerts@test.bank.in\r\nSubject: large\r\n\r\n${`${filling}\r\n`.repeat(900)}`,
    );
    const count = 2_000;
    const lanes = 20;
    const began = peakOf(child.pid);
    await Promise.all(
      Array.from({ length: lanes }, async (_, lane) => {
        const transport = createTransport({
          host: '127.0.0.1',
          port: child.port,
          ignoreTLS: true,
          pool: true,
          maxConnections: 1,
          maxMessages: Number.POSITIVE_INFINITY,
        });
        for (let mail = lane; mail < count; mail += lanes) {
          // Now and then one of nearly a megabyte, from every connection at once.
          const body = mail % 300 < lanes ? large : Buffer.from('From: alerts@test.bank.in\r\n\r\nx\r\n');
          const raw = Buffer.concat([Buffer.from(`X-Mail: ${mail}\r\n`), body]);
          await transport.sendMail({
            envelope: { from: 'a@provider.example', to: shops[lane % shops.length]!.forwardTo },
            raw,
          });
        }
        transport.close();
      }),
    );
    const [row] = await stage.world.sql<{ count: number }[]>`
      select count(*) as count from alerts where merchant_id in ${stage.world.sql(shops.map(shop => shop.merchantId))}`;
    assert.equal(row!.count, count);
    // Twenty large mails at once, each held a few times over while it is compressed and sent to the database.
    const grown = peakOf(child.pid) - began;
    assert.ok(grown < 250 * MiB, `grew by ${Math.round(grown / MiB)} MiB`);
  });

  async function startChild(stopAt: ReceiveStep | null) {
    const orders: ChildOrders = {
      databaseUrl: stage.world.databaseUrl,
      secretKey: Buffer.alloc(32, 7).toString('base64'),
      stopAt,
    };
    const script = fileURLToPath(new URL('./receiver-child.ts', import.meta.url));
    const child = spawn(process.execPath, [script, JSON.stringify(orders)], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    children.add(child);
    let output = '';
    child.stdout.on('data', text => {
      output += text;
    });
    const port = Number(await waitFor('the child to listen', () => /port (\d+)/.exec(output)?.[1]));
    return {
      port,
      pid: child.pid!,
      said: (line: string) => waitFor(`the child to say "${line}"`, () => output.includes(line)),
      async kill() {
        const gone = new Promise(resolve => child.once('exit', resolve));
        child.kill('SIGKILL');
        await gone;
      },
    };
  }
});

/** The most memory that a process ever had, in bytes. */
function peakOf(pid: number): number {
  const [, kilobytes = '0'] = /VmHWM:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
  return Number(kilobytes) * 1024;
}
