import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { second } from '../../src/base/clock.ts';
import { connect } from '../../src/base/database/connect.ts';
import { connectShop, type LiveShop } from '../../test/support/live-shop.ts';
import { type Program, startReady } from '../../test/support/program.ts';
import { waitFor } from '../../test/support/wait-for.ts';
import { check, type Found, toldPaid } from './check.ts';
import { openLine } from './line.ts';
import { type Load, startLoad } from './load.ts';
import { type Postgres, startPrimary, startStandby } from './postgres.ts';

export type DrillOptions = {
  rounds: number;
  /** The control: nobody waits for the standby, so that a loss must happen and be noticed. */
  isAsync: boolean;
  say(line: string): void;
};

export type Summary = {
  rounds: number;
  orders: number;
  replays: number;
  refusals: number;
  paid: number;
  found: Found;
  verified: boolean;
};

type Stage = { bin: string; folder: string; shop: LiveShop; onEnd(end: () => Promise<void>): void };

/** How long the standby has fallen silent when the primary dies. Longer than a create may wait for its answer. */
const silence = 6 * second;
const settleLimit = 90 * second;
const secretKey = Buffer.alloc(32, 7).toString('base64');

/**
 * Orders are created and paid without a pause; in each round the primary dies, its standby is promoted behind the same
 * address, and the service, which is never restarted, goes on. In every second round the standby hears nothing for
 * some seconds before: the primary then holds commits that nobody else has.
 */
export async function drill(stage: Stage, { rounds, isAsync, say }: DrillOptions): Promise<Summary> {
  const { bin, folder, shop, onEnd } = stage;
  let primary = await startPrimary(bin, join(folder, 'server-0'));
  onEnd(() => primary.stop());
  const line = await openLine(primary.port);
  onEnd(() => line.stop());
  const databaseUrl = primary.url.replace(`:${primary.port}/`, `:${line.port}/`);
  const env = {
    ...shop.env,
    PUBLIC_URL: 'https://pay.example.in',
    DATABASE_URL: databaseUrl,
    SECRET_KEY: secretKey,
  };
  const program = await startReady(folder, { env });
  onEnd(async () => {
    program.child.kill('SIGTERM');
    await program.ended;
  });
  const { apiKey } = await connectShop(shop, databaseUrl, secretKey);
  const load = startLoad(shop, program.url, apiKey);
  // Whatever fails, the customers must not run on for ever.
  onEnd(() => Promise.race([load.stop(), sleep(5 * second)]));

  for (let round = 1; round <= rounds; round++) {
    const standby = await startStandby(bin, join(folder, `server-${round}`), primary);
    const gone = primary;
    await (isAsync ? untilFollowing(primary) : makeSynchronous(primary));
    await more(load, program, 100);
    const isSilent = isAsync || round % 2 === 0;
    if (isSilent) {
      standby.following?.hold();
      await sleep(silence);
    }
    const before = load.promised.orders.size;
    line.point(null);
    await gone.kill();
    standby.following?.point(null);
    await standby.run('select pg_promote(true, 60)');
    line.point(standby.port);
    primary = standby;
    await more(load, program, 50);
    say(
      `round ${round}: primary killed after ${before} orders${isSilent ? `, ${silence / second} s after its standby fell silent` : ''}; promoted, and the service goes on`,
    );
  }
  await load.stop();

  const sql = connect(primary.url, { most: 2 });
  onEnd(() => sql.end());
  const promised = load.promised;
  const isSettled = async () =>
    (await check(sql, shop, promised)).unpaid.length === 0 &&
    [...promised.mailed].every(id => toldPaid(shop).has(id));
  await waitFor('every payment found and told', isSettled, isAsync ? 20 * second : settleLimit).catch(
    () => {},
  );
  return {
    rounds,
    orders: promised.orders.size,
    replays: promised.replays,
    refusals: promised.refusals,
    paid: toldPaid(shop).size,
    found: await check(sql, shop, promised),
    verified: await verify(env),
  };
}

export async function makeSynchronous(primary: Postgres): Promise<void> {
  await untilFollowing(primary);
  await primary.run("alter system set synchronous_standby_names = '*'");
  await primary.run('select pg_reload_conf()');
  await waitFor('the standby to be synchronous', async () => {
    const [row] = await primary.run("select from pg_stat_replication where sync_state = 'sync'");
    return row !== undefined;
  });
}

async function untilFollowing(primary: Postgres): Promise<void> {
  await waitFor('the standby to follow', async () => {
    const [row] = await primary.run("select from pg_stat_replication where state = 'streaming'");
    return row !== undefined;
  });
}

/** Waits for so many further orders. The program has to be the one that was started: nobody restarts it. */
async function more({ promised }: Load, program: Program, count: number): Promise<void> {
  const wanted = promised.orders.size + count;
  await waitFor(
    `${count} orders more`,
    () => {
      if (program.child.exitCode !== null) throw new Error(`the service ended:\n${program.output()}`);
      return promised.orders.size >= wanted;
    },
    120 * second,
  );
}

/** `milaan verify`, as the operator runs it. */
async function verify(env: Record<string, string>): Promise<boolean> {
  const child = spawn(process.execPath, ['src/cli.ts', 'verify', '--env-file=/dev/null'], {
    env: { PATH: process.env['PATH'], ...env },
    stdio: ['ignore', 'inherit', 'inherit'],
  });
  return (await new Promise(resolve => child.once('close', resolve))) === 0;
}
