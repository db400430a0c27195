import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { promisify } from 'node:util';
import { paiseFromRupees } from '../../src/base/money.ts';
import { openBank } from '../../src/sandbox/open-bank.ts';
import { writeAlert } from '../../src/sandbox/write-alert.ts';
import { openTestSandbox } from '../support/sandbox.ts';
import { prepare, use } from '../support/use.ts';

let url: string;
const folder = mkdtempSync(join(tmpdir(), 'milaan-samples-'));
const box = use(openTestSandbox);
prepare(async () => {
  url = await box.app.listen({ host: '127.0.0.1', port: 0 });
});
after(async () => {
  rmSync(folder, { recursive: true, force: true });
});

/** The curl commands of docs/sandbox.md, by the path they call. */
const samples = [...readFileSync('docs/sandbox.md', 'utf8').matchAll(/^```sh\n(curl [\s\S]*?)^```$/gm)].map(
  match => match[1]!,
);

async function run(part: string, orderId = ''): Promise<Record<string, unknown>> {
  const sample = samples.find(code => code.includes(part));
  assert.ok(sample, `no sample calls ${part}`);
  const { stdout } = await promisify(execFile)('bash', ['-euc', sample.replace('ML-0123456789', orderId)], {
    cwd: folder,
    env: { PATH: process.env['PATH'], MILAAN_URL: url },
  });
  return JSON.parse(stdout);
}

test('every command of docs/sandbox.md does what the page says', async () => {
  assert.equal(samples.length, 7);
  const order = await box.create();
  const bank = openBank(box.outside.config.dataDir);
  const alert = await writeAlert(bank, {
    to: box.file.mailbox,
    amount: paiseFromRupees(order.payable_amount),
    accountDigits: box.file.account_digits,
    reference: '612345678901',
    at: box.sandbox.world.clock.now(),
  });
  writeFileSync(join(folder, 'alert.eml'), alert);
  assert.deepEqual(await run('/sandbox/mail'), {
    verdict: 'paid',
    reason: `paid order ${order.order_id}`,
    order_id: order.order_id,
  });
  const twice = await run('/pay', (await box.create()).order_id);
  assert.equal(twice['verdict'], 'extra_payment');
  assert.equal((twice['verdicts'] as unknown[]).length, 2);
  assert.equal((await run('/sandbox/dns/'))['name'], 'test._domainkey.hdfcbank.net');
  assert.equal((await run('/sandbox/account'))['bank'], 'kotak');
  assert.equal((await run('/sandbox/settings'))['hold_near_misses'], true);
  assert.equal((await run('/sandbox/clock'))['ahead_seconds'], 300);
  assert.equal((await run('/sandbox/reset'))['ahead_seconds'], 0);
});
