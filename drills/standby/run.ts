import { mkdtempSync, rmSync } from 'node:fs';
import { chmod } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { install } from '../../test/support/install.ts';
import { openLiveShop } from '../../test/support/live-shop.ts';
import { drill, type Summary } from './drill.ts';
import { debianPostgres } from './postgres.ts';

/**
 * `npm run drill -- standby [--rounds 4] [-- --async]`: kills the primary under load and promotes its standby.
 * Ends with 1 when anything that was promised is gone. With --async, the control, it ends with 0 when the loss that
 * must happen was noticed.
 */
const { values } = parseArgs({
  options: { rounds: { type: 'string', default: '4' }, async: { type: 'boolean', default: false } },
});
const rounds = values.async ? 1 : Number(values.rounds);
const say = (line: string) => console.log(`  ${line}`);
const ends: (() => Promise<unknown>)[] = [];
let ending: Promise<void> | null = null;
for (const signal of ['SIGINT', 'SIGTERM'] as const)
  process.once(signal, () => void endAll().then(() => process.exit(1)));

try {
  const summary = await play();
  process.exitCode = tell(summary) ? 0 : 1;
} catch (error) {
  console.error(error);
  process.exitCode = 1;
} finally {
  await endAll();
}
process.exit();

async function play(): Promise<Summary> {
  const bin = debianPostgres() ?? installPostgres();
  const folder = mkdtempSync(join(tmpdir(), 'milaan-standby-'));
  ends.push(async () => rmSync(folder, { recursive: true, force: true }));
  await chmod(folder, 0o711);
  const shop = await openLiveShop();
  ends.push(() => shop.stop());
  console.log(
    `standby drill: ${rounds} rounds, ${values.async ? 'asynchronous (the control)' : 'synchronous'}`,
  );
  return await drill(
    { bin, folder, shop, onEnd: end => ends.push(end) },
    { rounds, isAsync: values.async, say },
  );
}

function tell({ orders, replays, refusals, paid, found, verified }: Summary): boolean {
  const { lostOrders, lostPayments, unpaid } = found;
  console.log(
    `orders acknowledged         ${orders} (${replays} of them when sent again; ${refusals} times told to wait)`,
  );
  console.log(`payments told to the shop   ${paid}`);
  console.log(`acknowledged orders lost    ${lostOrders.length}`);
  console.log(`told payments lost          ${lostPayments.length}`);
  console.log(`payments never found        ${unpaid.length}`);
  console.log(`verify                      ${verified ? 'no rule is broken' : 'BROKEN RULES'}`);
  const isLost = lostOrders.length + lostPayments.length + unpaid.length > 0;
  if (values.async) {
    console.log(
      isLost
        ? 'the control lost orders, and the drill noticed'
        : 'the control lost nothing: the drill proves nothing',
    );
    return isLost;
  }
  console.log(isLost || !verified ? 'LOST' : 'nothing was lost');
  return !isLost && verified;
}

function installPostgres(): string {
  install('the drill needs', [['/usr/lib/postgresql', 'postgresql']]);
  const bin = debianPostgres();
  if (!bin) throw new Error('PostgreSQL 15 or newer is needed: apt-get install postgresql');
  return bin;
}

/** In the opposite order of the beginning, and each though another failed. */
function endAll(): Promise<void> {
  ending ??= (async () => {
    for (const end of ends.reverse()) await end().catch(error => console.error(error));
  })();
  return ending;
}
