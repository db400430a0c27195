import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { connect } from '../../src/base/database/connect.ts';
import { migrate } from '../../src/base/database/migrate.ts';
import { connectShop, openLiveShop } from '../../test/support/live-shop.ts';
import { startReady } from '../../test/support/program.ts';
import { addTestMerchant } from '../../test/support/test-world.ts';
import { waitFor } from '../../test/support/wait-for.ts';
import { playDrill } from '../play-drill.ts';
import { seeNothingLost, settle } from '../standby/drill.ts';
import { ladderCustomers, startLoad } from '../standby/load.ts';
import { startPrimary } from '../standby/postgres.ts';
import { inWorld, openInstallation, seeAdding } from './add-cells.ts';
import { joinNodes, joinPrograms, onNode, startNode, whatIsMissing } from './cluster.ts';
import { playOrders } from './play-orders.ts';

/**
 * `npm run drill -- citus [ORDERS]`, with CITUS_DIR: one cell is a schema of a Citus cluster. It runs the story and a
 * thousand orders from creation to webhook, and compares the cost with plain PostgreSQL. Then, under load, the schema
 * moves to a new node, and that node is killed and restarted. `npm run drill -- citus FILES` runs tests on such a cell
 * instead.
 */
const given = process.env['CITUS_DIR'];
const missing = whatIsMissing(given);
if (missing !== null) {
  console.error(`the drill needs ${missing}`);
  process.exit(1);
}
const files = process.argv.slice(2).filter(argument => argument.endsWith('.test.ts'));
const orders = Number(process.argv[2] ?? 1000);
const patience = 240_000;

await playDrill('Citus drill', async stage => {
  const { folder, onEnd, see } = stage;
  const bin = joinPrograms(given!, join(folder, 'programs'));
  const start = async (name: string) => {
    let node = await startNode(bin, join(folder, name));
    onEnd(() => node.stop());
    return {
      ...node,
      async killAndBack() {
        await node.kill();
        await sleep(3_000);
        node = await node.again();
      },
    };
  };
  const coordinator = await start('coordinator');
  const workers = [await start('worker-1'), await start('worker-2')];
  await joinNodes(coordinator, workers);
  const cell = (schema: string) => `${coordinator.url}?options=-c%20search_path%3D${schema}`;
  const portOf = async (schema: string) => {
    const rows = await onNode(
      coordinator,
      `select distinct nodeport from citus_shards where table_name::text like '${schema}.%'`,
    );
    return rows.map(row => row['nodeport'] as number);
  };
  const plain = await startPrimary(bin, join(folder, 'plain'));
  onEnd(() => plain.stop());
  const tried = await openInstallation(plain, folder, 'tried');
  const cluster = { bin, coordinator, worker: workers[0]!, cell };
  await seeAdding(stage, tried, cluster, ['story', 'cell_a']);
  const ports = await portOf('cell_a');
  see(
    'a schema is distributed, and stands on one worker',
    ports.length === 1 && ports[0] !== coordinator.port,
  );

  for (const file of files.length > 0 ? files : ['test/story.test.ts']) {
    const { status, stdout } = spawnSync(process.execPath, ['--test', '--test-force-exit', file], {
      env: { ...process.env, MILAAN_TEST_DATABASE: cell('story') },
      encoding: 'utf8',
    });
    see(`${file} passes`, status === 0, stdout);
  }
  if (files.length > 0) return;

  const schema = connect(plain.url, { most: 2 });
  await migrate(schema);
  await schema.end();
  const servers = [coordinator.pid, ...workers.map(({ pid }) => pid)];
  const onPlain = await playOrders(plain.url, [plain.pid], orders);
  const onCitus = await playOrders(cell('cell_a'), servers, orders);
  for (const [engine, played] of Object.entries({ 'plain PostgreSQL': onPlain, Citus: onCitus })) {
    const { paid, notified, listed, breaches } = played;
    see(
      `${engine}: ${orders} orders created, paid by signed mails, told once and listed; verify finds nothing`,
      [paid, notified, listed].every(number => number === orders) && breaches.length === 0,
      JSON.stringify({ paid, notified, listed, breaches }),
    );
  }
  see("every number of arrival is the coordinator's", onCitus.latest < 2 ** 48, String(onCitus.latest));
  see('whoever listens hears of a stored mail', onCitus.woken && onPlain.woken);
  console.log('  processor time of all database servers for one, in microseconds:');
  for (const part of ['create', 'confirm', 'deliver'] as const) {
    const [one, other] = [onPlain.cost[part], onCitus.cost[part]];
    console.log(
      `    ${part.padEnd(8)} plain ${String(one).padStart(6)}   Citus ${String(other).padStart(6)}   ${(other / one).toFixed(1)} times`,
    );
  }

  const shop = await openLiveShop();
  onEnd(() => shop.stop());
  const url = cell('cell_b');
  const live = await openInstallation(plain, folder, 'live', shop.env);
  const added = await live.addCitus(bin, url, 'cell_b');
  await live.milaan('open-cell', '1');
  const listed = await live.milaan('list-cells');
  see(
    'an installation on plain PostgreSQL gets a cell on Citus, where new businesses come',
    added.code === 0 && listed.code === 0 && /cell 1 .*new businesses come here/.test(listed.out),
    added.err + listed.out + listed.err,
  );
  const program = await startReady(folder, { env: live.env });
  onEnd(async () => {
    program.child.kill('SIGTERM');
    await program.ended;
  });
  const merchant = await inWorld(live, world => addTestMerchant(world.cells!.worlds[1]!));
  const { apiKey } = await connectShop(shop, url, live.secretKey, merchant);
  const load = startLoad(shop, program.url, apiKey, ladderCustomers);
  onEnd(() => Promise.race([load.stop(), sleep(5_000)]));
  const { promised } = load;
  const more = async (count: number) => {
    const wanted = promised.orders.size + count;
    await waitFor(`${count} orders more`, () => promised.orders.size >= wanted, patience);
  };
  await more(60);

  const third = await start('worker-3');
  await onNode(coordinator, `select citus_add_node('127.0.0.1', ${third.port})`);
  const before = promised.orders.size;
  const began = performance.now();
  await onNode(coordinator, `select citus_schema_move('cell_b', '127.0.0.1', ${third.port})`);
  const took = ((performance.now() - began) / 1000).toFixed(1);
  await more(20);
  const now = await portOf('cell_b');
  see(
    `a third worker is added and the schema moved to it in ${took} s, while ${promised.orders.size - before} orders were acknowledged; longest silence ${(load.silence() / 1000).toFixed(1)} s`,
    now.length === 1 && now[0] === third.port,
  );

  await third.killAndBack();
  await more(60);
  see('the worker that has it is killed and comes back, and orders go on by themselves', true);

  await load.stop();
  seeNothingLost({ shop, see }, load, await settle({ shop, onEnd }, load, url, patience));
  const sql = connect(url, { most: 2 });
  onEnd(() => sql.end());
  const doubled =
    await sql`select order_id from events where type = 'payment.paid' group by order_id having count(*) > 1`;
  see('none is paid twice', doubled.length === 0);
  const verified = await live.milaan('verify');
  see('verify finds no rule broken', verified.code === 0, verified.out + verified.err);
});
