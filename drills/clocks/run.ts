import { mkdtempSync, rmSync } from 'node:fs';
import { chmod } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { install } from '../../test/support/install.ts';
import { openLiveShop } from '../../test/support/live-shop.ts';
import { debianPostgres } from '../standby/postgres.ts';
import { playScenes, type Scene } from './play-scenes.ts';

/**
 * `npm run drill -- clocks [--steps 3,15,45,-15]`: the database's clock steps under load, and a standby that is ahead takes over. Ends with 1
 * when a payment was missed, or when a scene's fault did not strike.
 */
const { values } = parseArgs({ options: { steps: { type: 'string', default: '3,15,45,-15' } } });
const steps = values.steps.split(',').filter(Boolean).map(Number);
install('the drill needs', [
  ['/usr/lib/postgresql', 'postgresql'],
  ['/usr/bin/faketime', 'faketime'],
  ['/usr/sbin/dovecot', 'dovecot-imapd'],
]);
const ends: (() => Promise<unknown>)[] = [];
let ending: Promise<void> | null = null;
for (const signal of ['SIGINT', 'SIGTERM'] as const)
  process.once(signal, () => void endAll().then(() => process.exit(1)));

try {
  const bin = debianPostgres();
  if (!bin) throw new Error('PostgreSQL 15 or newer is needed: apt-get install postgresql');
  const folder = mkdtempSync(join(tmpdir(), 'milaan-clocks-'));
  ends.push(async () => rmSync(folder, { recursive: true, force: true }));
  await chmod(folder, 0o711);
  const shop = await openLiveShop();
  ends.push(() => shop.stop());
  process.exitCode = tell(await playScenes({ bin, folder, shop, onEnd: end => ends.push(end) }, steps))
    ? 0
    : 1;
} catch (error) {
  console.error(error);
  process.exitCode = 1;
} finally {
  await endAll();
}
process.exit();

function tell({ scenes, verified }: { scenes: Scene[]; verified: boolean }): boolean {
  console.log(
    'scene                 database moved   paid for   paid   missed   stamped the wrong way round',
  );
  for (const one of scenes) {
    const cells = [
      one.name.padEnd(20),
      `${one.moved.toFixed(1)} s`.padStart(14),
      one.mailed,
      one.paid,
      one.missed,
    ];
    const isVacuous = !one.struck && '   VACUOUS: the fault did not strike';
    console.log(
      `${cells.map((cell, at) => String(cell).padStart([20, 15, 10, 6, 8][at]!)).join(' ')}   ${one.parted}${isVacuous || ''}`,
    );
  }
  console.log(`verify: ${verified ? 'no rule is broken' : 'BROKEN RULES'}`);
  return verified && scenes.every(({ missed, struck }) => missed === 0 && struck);
}

/** In the opposite order of the beginning, and each though another failed. */
function endAll(): Promise<void> {
  ending ??= (async () => {
    for (const end of ends.reverse()) await end().catch(error => console.error(error));
  })();
  return ending;
}
