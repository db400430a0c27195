import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connect } from '../../src/base/database/connect.ts';
import { openBrowser } from '../../test/support/browser.ts';
import { startTestServer } from '../../test/support/test-database.ts';
import { startMilaan } from '../woo/milaan.ts';
import { checkTypes, installMedusa, type MedusaShop, openMedusa } from './open-medusa.ts';
import { scenes } from './scenes.ts';
import { openWebhookProxy } from './webhook-proxy.ts';

/**
 * `npm run drill -- medusa`: installs Medusa in a folder of its own (MEDUSA_DIR, 714 MB the first time), sells by its
 * store API and pays against the sandbox.
 */
const folder = process.env['MEDUSA_DIR'] ?? join(tmpdir(), 'medusa-drill');
const ends: (() => Promise<unknown>)[] = [];
let ending: Promise<void> | null = null;
for (const signal of ['SIGINT', 'SIGTERM'] as const)
  process.once(signal, () => void endAll().then(() => process.exit(1)));

let played = 0;
const failures: string[] = [];
try {
  await play();
} catch (error) {
  console.error(error);
  failures.push('the drill itself');
} finally {
  await endAll();
}
console.log(`${played - failures.length} of ${played} scenes as they should be`);
for (const failure of failures) console.log(`failed: ${failure}`);
process.exit(failures.length === 0 && played > 0 ? 0 : 1);

async function play(): Promise<void> {
  await installMedusa(folder);
  const server = await startTestServer();
  ends.push(() => server.stop());
  const sql = connect(server.url, { most: 1 });
  await sql.unsafe('create database medusa');
  await sql.end();
  const milaan = await startMilaan();
  ends.push(() => milaan.stop());
  const proxy = await openWebhookProxy(join(folder, 'recorded.jsonl'));
  ends.push(() => proxy.stop());
  const database = new URL(server.url);
  database.pathname = '/medusa';
  const shop = await openMedusa(folder, database.href, milaan, proxy);
  ends.push(() => shop.stop());
  console.log(`Medusa at ${shop.url}, Milaan at ${milaan.url}`);
  await run('the provider fits Medusa’s own types', async () => checkTypes(folder), shop);
  const browser = await openBrowser();
  ends.push(() => browser.stop());
  const { page } = await browser.open();
  const stage = { shop, milaan, proxy, page };
  for (const [name, scene] of Object.entries(scenes)) await run(name, () => scene(stage), shop);
}

async function run(name: string, scene: () => Promise<void>, shop: MedusaShop): Promise<void> {
  const begun = performance.now();
  played++;
  try {
    await scene();
    console.log(`  ok      ${name} (${((performance.now() - begun) / 1000).toFixed(1)} s)`);
  } catch (error) {
    failures.push(name);
    console.log(
      `  FAILED  ${name}: ${(error as Error).message} ${String((error as { stdout?: Buffer }).stdout ?? '')}\n${shop.output().slice(-3000)}`,
    );
  }
}

/** In the order opposite to that in which things began. */
function endAll(): Promise<void> {
  ending ??= (async () => {
    for (const end of ends.reverse()) await end().catch(error => console.error(error));
  })();
  return ending;
}
