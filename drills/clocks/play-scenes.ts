import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { minute, second } from '../../src/base/clock.ts';
import { connect, type Sql } from '../../src/base/database/connect.ts';
import { connectShop, type LiveShop } from '../../test/support/live-shop.ts';
import { type Program, startReady } from '../../test/support/program.ts';
import { waitFor } from '../../test/support/wait-for.ts';
import { openLine } from '../standby/line.ts';
import { type Postgres, startPrimary, startStandby } from '../standby/postgres.ts';
import { type FakedBin, fakeClock } from './faked-postgres.ts';
import { type Load, startLoad } from './load.ts';

export type Scene = {
  name: string;
  /** By how much the database's clock moved, in seconds, as it says itself. */
  moved: number;
  mailed: number;
  paid: number;
  missed: number;
  /** Orders whose mail is stamped as if it had arrived before they were made: what a rule by clocks refuses. */
  parted: number;
  struck: boolean;
};

type Stage = { bin: string; folder: string; shop: LiveShop; onEnd(end: () => Promise<unknown>): void };

const secretKey = Buffer.alloc(32, 7).toString('base64');
/** The database begins so far behind the machine that all steps together stay within a minute of it. */
const begin = -30;
const standbyAhead = 20;
/** All processes have compared their clocks within this. */
const sceneTime = 16 * second;
/** Between two comparisons of a process. */
const compareEvery = 10 * second;

/**
 * Eight processes. Each step comes right after the mail process has compared its clock, so that it is the last to find
 * out: webs stamp orders by the new time and it stamps their mails by the old one.
 */
export async function playScenes(
  stage: Stage,
  steps: readonly number[],
): Promise<{ scenes: Scene[]; verified: boolean }> {
  const { bin, folder, shop, onEnd } = stage;
  const faked = fakeClock(bin, join(folder, 'bin-0'), begin);
  const primary = await startPrimary(faked.bin, join(folder, 'server-0'));
  let serving: Postgres = primary;
  onEnd(() => serving.stop());
  const line = await openLine(primary.port);
  onEnd(() => line.stop());
  const env = {
    ...shop.env,
    PUBLIC_URL: 'https://pay.example.in',
    DATABASE_URL: primary.url.replace(`:${primary.port}/`, `:${line.port}/`),
    SECRET_KEY: secretKey,
    DATABASE_POOL: '8',
    LOG_LEVEL: 'warn',
  };
  const start = async (...roles: string[]): Promise<Program> => {
    const program = await startReady(folder, { env, args: roles });
    onEnd(async () => {
      program.child.kill('SIGTERM');
      await program.ended;
    });
    return program;
  };
  const mail = await start('mail');
  const { apiKey } = await connectShop(shop, env.DATABASE_URL, secretKey);
  await start('mail');
  await Promise.all([start('deliver'), start('deliver'), start('deliver')]);
  // One after the other, so that they do not all compare at one moment.
  const webs = [await start('web'), await start('web'), await start('web')];

  let scene = 'quiet';
  const urls = webs.map(({ url }) => url);
  const load = startLoad(shop, urls, apiKey, () => scene);
  onEnd(() => Promise.race([load.stop(), sleep(5 * second)]));
  await sleep(5 * second);
  const moved = new Map<string, number>();
  let ahead = begin;
  for (const step of steps) {
    await untilAfterLook(mail, 1 * second);
    const before = await aheadOf(serving);
    scene = `step of ${step > 0 ? '+' : ''}${step} s`;
    ahead += step;
    faked.setAhead(ahead);
    await sleep(sceneTime);
    moved.set(scene, (await aheadOf(serving)) - before);
  }

  const fakedStandby: FakedBin = fakeClock(bin, join(folder, 'bin-1'), ahead + standbyAhead);
  const standby = await startStandby(fakedStandby.bin, join(folder, 'server-1'), primary);
  await synchronous(primary);
  const before = await aheadOf(primary);
  scene = `standby ${standbyAhead} s ahead`;
  line.point(null);
  await primary.kill();
  standby.following?.point(null);
  await standby.run('select pg_promote(true, 60)');
  serving = standby;
  line.point(standby.port);
  await sleep(sceneTime);
  moved.set(scene, (await aheadOf(standby)) - before);
  await load.stop();

  const sql = connect(standby.url, { most: 2 });
  onEnd(() => sql.end());
  const all = async () => await reckon(sql, load, moved);
  await waitFor(
    'every payment found',
    async () => (await all()).every(one => one.missed === 0),
    // A busy machine is late, and misses nothing.
    5 * minute,
  ).catch(() => {});
  const scenes = await all();
  if (scenes.some(({ missed }) => missed > 0)) console.log(mail.output());
  return { scenes, verified: await verify(env) };
}

/** The next moment that is this long after a comparison of the process, which says when its clock was put right. */
async function untilAfterLook(program: Program, milliseconds: number): Promise<void> {
  const told = [...program.output().matchAll(/"time":(\d+)[^\n]*our clock was put right/g)].at(-1)?.[1];
  if (told === undefined) throw new Error('the mail process never compared its clock');
  const phase = (Date.now() - Number(told)) % compareEvery;
  await sleep((milliseconds - phase + compareEvery) % compareEvery);
}

async function aheadOf(server: Postgres): Promise<number> {
  const asked = () => server.run('select extract(epoch from clock_timestamp())::float8 as now');
  const [row] = await asked().catch(asked);
  return Number(row?.['now']) - Date.now() / second;
}

async function synchronous(primary: Postgres): Promise<void> {
  const asked = (statement: string) => primary.run(statement).catch(() => []);
  await waitFor('the standby to follow', async () => {
    const rows = await asked("select from pg_stat_replication where state = 'streaming'");
    return rows.length === 1;
  });
  // A server whose clock was set ends connections that were about to begin: whoever asks, asks again.
  await waitFor('the standby to be synchronous', async () => {
    await asked("alter system set synchronous_standby_names = '*'");
    await asked('select pg_reload_conf()');
    return (await asked("select from pg_stat_replication where sync_state = 'sync'")).length === 1;
  });
}

async function reckon(sql: Sql, load: Load, moved: Map<string, number>): Promise<Scene[]> {
  const scenes: Scene[] = [];
  for (const [name, orders] of load.paidFor) {
    const [row] = await sql<{ paid: number; parted: number }[]>`
      select count(*) filter (where o.status = 'paid') as paid,
        count(*) filter (where exists (select from alerts a
          where a.merchant_id = o.merchant_id and a.amount_paise = o.payable_paise and a.arrived_at < o.created_at)) as parted
      from orders o where o.order_id in ${sql(orders)}`;
    const { paid, parted } = row!;
    const by = moved.get(name) ?? 0;
    // A step back is followed little by little; a step ahead must be seen in the stamps.
    const struck = name === 'quiet' || (Math.abs(by) > 2 && (by < 0 || parted > 0));
    scenes.push({
      name,
      moved: by,
      mailed: orders.length,
      paid,
      missed: orders.length - paid,
      parted,
      struck,
    });
  }
  return scenes;
}

async function verify(env: Record<string, string>): Promise<boolean> {
  const child = spawn(process.execPath, ['src/cli.ts', 'verify', '--env-file=/dev/null'], {
    env: { PATH: process.env['PATH'], ...env },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  return (await new Promise(resolve => child.once('close', resolve))) === 0;
}
