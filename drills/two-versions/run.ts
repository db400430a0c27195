import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { connect, type Sql } from '../../src/base/database/connect.ts';
import { startEmbedded } from '../../src/base/database/embedded.ts';
import { freePort } from '../../src/base/free-port.ts';
import { openLiveShop } from '../../test/support/live-shop.ts';
import { type Program, startReady } from '../../test/support/program.ts';
import { waitFor } from '../../test/support/wait-for.ts';
import { playDrill, type Stage } from '../play-drill.ts';
import { check, notifiedPaid } from '../standby/check.ts';
import { type Load, startLoad } from '../standby/load.ts';
import { laterVersion, released, root, run } from './trees.ts';

/**
 * `npm run drill -- two-versions [--from COMMIT]`: the previous release runs with traffic, and this version comes to
 * its database. Either both may run at the same time, and do, or this one refuses until the other has stopped. Then the
 * same with this version and two possible next ones. Nothing is lost, and `verify` finds nothing.
 */
const { values } = parseArgs({ options: { from: { type: 'string' } } });

type Scene = Stage & {
  env: Record<string, string>;
  sql: Sql;
  load(url: string): Load;
  /** Starts a version; `port`: where the customers go. */
  start(tree: string, port?: number): Promise<Program>;
};

await playDrill('two versions', async stage => {
  const before = await released(stage.folder, values.from);
  console.log(`  the release before: ${before.name}`);
  const shop = await openLiveShop();
  stage.onEnd(() => shop.stop());
  const database = await startEmbedded(stage.folder, () => {});
  stage.onEnd(() => database.stop());
  const secretKey = Buffer.alloc(32, 7).toString('base64');
  const env = {
    ...shop.env,
    PUBLIC_URL: 'https://pay.example.in',
    DATABASE_URL: database.url,
    SECRET_KEY: secretKey,
  };
  const sql = connect(database.url, { most: 2, part: 'drill' });
  stage.onEnd(() => sql.end());
  const loads: Load[] = [];
  stage.onEnd(() => Promise.race([Promise.all(loads.map(load => load.stop())), run('sleep', ['5'])]));
  const port = await freePort();
  const start = async (tree: string, at = 0) => {
    const program = await startReady(stage.folder, { env: { ...env, PORT: String(at) }, cwd: tree });
    stage.onEnd(() => stop(program));
    return program;
  };
  const old = await start(before.tree, port);
  // Its own: it knows how a business of its time is written.
  const { connectShop } = await import(`${before.tree}/test/support/live-shop.ts`);
  const { apiKey } = await connectShop(shop, database.url, secretKey);
  const load = (url: string) => {
    loads.push(startLoad(shop, url, apiKey));
    return loads.at(-1)!;
  };
  const scene: Scene = { ...stage, env, sql, start, load };

  const customers = load(old.url);
  await more(customers, 60);
  const { said } = await milaan(scene, root, 'upgrade', '--dry-run');
  // Before its number is raised, this version takes an upgrade from the release of that number for one that goes on.
  const mayStay = !said.includes('cannot run with this schema');
  console.log(`  ${mayStay ? 'both versions may run at the same time' : 'the old version must stop first'}`);
  const now = mayStay
    ? await rolledOver(scene, old, before.tree, customers)
    : await refusedFirst(scene, old, before.tree, customers, port);
  await besideNext(scene, now, customers);

  await Promise.all(loads.map(one => one.stop()));
  const settled = async () => {
    for (const { promised } of loads) {
      if ((await check(sql, shop, promised)).unpaid.length > 0) return false;
      if ([...promised.mailed].some(id => !notifiedPaid(shop).has(id))) return false;
    }
    return true;
  };
  const isSettled = await waitFor('every payment found and told', settled, 90_000).catch(() => false);
  const orders = loads.reduce((sum, { promised }) => sum + promised.orders.size, 0);
  const mailed = loads.reduce((sum, { promised }) => sum + promised.mailed.size, 0);
  const found = await Promise.all(loads.map(one => check(sql, shop, one.promised)));
  stage.see(`${mailed} payments of ${orders} orders were confirmed and told`, isSettled && mailed > 0);
  stage.see(
    'no order and no payment that anybody was told of is lost',
    found.every(({ lostOrders, lostPayments }) => lostOrders.length + lostPayments.length === 0),
  );
});

/** Both take orders at the same time, and the older one restarts next to the newer; then the older one leaves. */
async function rolledOver(scene: Scene, old: Program, tree: string, customers: Load): Promise<Program> {
  const now = await scene.start(root);
  const others = scene.load(now.url);
  await Promise.all([more(customers, 60), more(others, 60)]);
  scene.see('both take orders beside each other', true);
  scene.see('the older one is ready meanwhile', (await ready(old)).status === 200);
  const written = await functionsOf(scene);
  const port = Number(new URL(old.url).port);
  await stop(old);
  const again = await scene.start(tree, port);
  await Promise.all([more(customers, 40), more(others, 40)]);
  scene.see('the older one restarts next to it and takes orders', (await ready(again)).status === 200);
  scene.see('and writes none of its functions back', (await functionsOf(scene)) === written);
  const found = await Promise.all([milaan(scene, root, 'verify'), milaan(scene, tree, 'verify')]);
  scene.see(
    'verify of both finds nothing while both run',
    found.every(({ code }) => code === 0),
    found.map(({ said }) => said).join('\n'),
  );
  await others.stop();
  await stop(again);
  await stop(now);
  return await scene.start(root, port);
}

/** This version refuses, by start and by command, and harms nobody; the older one refuses once it is too late for it. */
async function refusedFirst(scene: Scene, old: Program, tree: string, customers: Load, port: number) {
  const history = async () => (await scene.sql`select count(*) as count from migrations`)[0]!['count'];
  const applied = await history();
  const early = await scene.start(root).then(
    () => '',
    error => String(error),
  );
  const names = /an older version may not run beside .*\(version \S+, \d+ connections/;
  scene.see('a start refuses while the older version lives, and names it', names.test(early), early);
  const refused = await milaan(scene, root, 'upgrade');
  scene.see('so does upgrade', refused.code === 1 && names.test(refused.said), refused.said);
  scene.see(
    'in a sentence, without a stack',
    !/\n\s+at /.test(refused.said + early.split('\n').slice(1).join()),
  );
  scene.see('nothing was migrated', (await history()) === applied);
  await more(customers, 40);
  scene.see('the older one goes on taking orders', old.child.exitCode === null);
  await stop(old);
  const upgraded = await milaan(scene, root, 'upgrade');
  scene.see('once it has stopped, upgrade migrates', upgraded.code === 0, upgraded.said);
  const late = await scene.start(tree).then(
    () => 'it started',
    error => String(error),
  );
  scene.see('the older one refuses what this one made', /newer version/.test(late), late);
  const now = await scene.start(root, port);
  await more(customers, 60);
  scene.see('this version takes orders where the older one did', true);
  const clean = await milaan(scene, root, 'verify');
  scene.see('verify finds nothing after the upgrade', clean.code === 0, clean.said);
  return now;
}

/** Tries a next version that may run next to this one, and one that may not. */
async function besideNext(scene: Scene, now: Program, customers: Load): Promise<void> {
  const next = laterVersion(scene.folder, 'next', {
    '9001_drill.sql': `-- A drill.\n-- The release before may run beside it.\nalter table orders add column drill text;\n`,
    'functions/archive_anew.sql': readFileSync(
      join(root, 'migrations/functions/archive_anew.sql'),
      'utf8',
    ).replace('begin\n', 'begin\n  -- Of the next release.\n'),
  });
  const before = await functionsOf(scene);
  const newer = await scene.start(next);
  const written = await functionsOf(scene);
  scene.see('a next version writes its functions', written !== before);
  const others = scene.load(newer.url);
  await Promise.all([more(customers, 40), more(others, 40)]);
  scene.see('a next version that promises it migrates beside this one, and both take orders', true);
  scene.see('this one is ready meanwhile', (await ready(now)).status === 200);
  const again = await scene.start(root);
  scene.see('and starts beside it', (await ready(again)).status === 200);
  scene.see("and leaves the next version's functions", (await functionsOf(scene)) === written);
  await stop(again);
  const clean = await milaan(scene, root, 'verify');
  scene.see('verify finds nothing while both run', clean.code === 0, clean.said);

  const apart = laterVersion(scene.folder, 'apart', {
    '9001_drill.sql': `-- A drill.\n-- The release before may run beside it.\nalter table orders add column drill text;\n`,
    '9002_drill.sql': `-- A drill.\n-- The release before may not run beside it.\nalter table orders drop column drill;\n`,
  });
  const refused = await milaan(scene, apart, 'upgrade');
  scene.see(
    'one that may not run beside this one is refused while it lives',
    refused.code === 1 && refused.said.includes('may not run beside'),
    refused.said,
  );
  await others.stop();
  await stop(newer);
  const forced = await milaan(scene, apart, 'upgrade', '--stopped');
  scene.see('whoever says that all are stopped is believed', forced.code === 0, forced.said);
  const state = await waitFor('unready', async () => {
    const answer = await ready(now);
    return answer.status === 503 ? answer : null;
  });
  scene.see(
    'the one that was not stopped is not ready, and says why',
    /newer version/.test(state.body),
    state.body,
  );
  await customers.stop();
  await stop(now);
  await scene.start(apart, Number(new URL(now.url).port));
  const after = await milaan(scene, apart, 'verify');
  scene.see('verify finds nothing at the end', after.code === 0, after.said);
}

/** The text of all database functions. */
async function functionsOf({ sql }: Scene): Promise<string> {
  const [row] = await sql<{ texts: string }[]>`
    select string_agg(pg_get_functiondef(oid), '' order by oid::regprocedure::text) as texts
    from pg_proc where pronamespace = 'public'::regnamespace`;
  return row!.texts;
}

async function ready({ url }: Program): Promise<{ status: number; body: string }> {
  const answer = await fetch(`${url}/readyz`);
  return { status: answer.status, body: await answer.text() };
}

async function stop({ child, ended }: Program): Promise<void> {
  child.kill('SIGTERM');
  await ended;
}

async function more({ promised }: Load, count: number): Promise<void> {
  const wanted = promised.orders.size + count;
  await waitFor(`${count} orders more`, () => promised.orders.size >= wanted, 120_000);
}

/** A command as an operator gives it, of any of the versions. */
async function milaan({ env }: Scene, tree: string, ...args: string[]) {
  return await run(process.execPath, ['src/cli.ts', '--env-file=/dev/null', ...args], tree, env);
}
